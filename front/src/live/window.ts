// Window: how much of the past the scopes show, and whether they go along with the run.

import { button, element } from "../page/element";
import { zoomBar } from "../page/toolbar";
import type { Board } from "../scopes/board";

const SECONDS = [1, 2, 5, 10, 20, 60, 300];
const DETAIL_WAIT = 150; // ms after the last zoom before finer samples are asked for

export class TimeWindow {
  readonly root: HTMLElement;
  following = true;
  private readonly select = element("select", { "aria-label": "how much of the past is seen" });
  private readonly liveButton = button("Live", "go along with the run (l)", () => this.follow());
  private timer = 0;

  constructor(
    private readonly board: Board,
    private readonly view: (seconds: number) => void,
    private readonly detail: (from: number, to: number) => void,
  ) {
    for (const seconds of SECONDS) this.select.append(new Option(`last ${seconds} s`, String(seconds), false, seconds === 10));
    this.select.append(new Option("whole run", ""));
    this.select.addEventListener("change", () => this.follow());
    board.zoomed = () => this.leave();
    this.root = element("div", { class: "controls" }, this.liveButton, this.select, zoomBar(board));
    this.mark();
  }

  follow(): void {
    this.following = true;
    this.mark();
    this.move();
    this.view(this.board.to - this.board.from);
    this.ask();
  }

  /** Bring the instant that is shown into view. */
  move(): void {
    const { board } = this;
    if (!this.following) return;
    const now = Number.isNaN(board.playhead) ? board.start : board.playhead;
    const asked = Number(this.select.value) || Math.max(now - board.start, 1);
    const span = Math.min(asked, board.stop > board.start ? board.stop - board.start : asked);
    const to = Math.max(now, board.start + span);
    board.look(to - span, to);
  }

  private leave(): void {
    this.following = false;
    this.mark();
    this.ask();
  }

  private ask(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.detail(this.board.from, this.board.to), DETAIL_WAIT);
  }

  private mark(): void {
    this.liveButton.setAttribute("aria-pressed", String(this.following));
  }
}
