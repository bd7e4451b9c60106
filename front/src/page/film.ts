// Film: what moves, beside the scopes and at their time.

import { key, type SceneData } from "../film/data";
import type * as film from "../film/film";
import type { Board } from "../scopes/board";
import { button, element, number, swatches } from "./element";

/** The bundle plots/films/web/film.js, which stands before this one. */
declare const blockdynFilm: typeof film;

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10];

export class Film {
  readonly root: HTMLElement;
  private readonly canvas = element("canvas", { tabindex: "0", "aria-label": "the run in three dimensions; drag turns it" });
  private readonly time = element("input", { type: "range", step: "any", "aria-label": "time" });
  private readonly clock = element("span", { class: "clock" });
  private readonly speed = element("select", { "aria-label": "seconds of the run a second" });
  private readonly playButton = button("Play", "play, pause (Space)", () => this.play(!this.playing));
  private readonly followButton = button("Follow", "the camera goes with it (f)", () => this.follow());
  private readonly print = element("img", { alt: "the run in three dimensions", hidden: true });
  private readonly note = element("p", { class: "note" });
  private viewer: film.Viewer | null = null;
  private playing = false;
  private seen = 0;
  private written = NaN;

  constructor(private readonly board: Board, data: SceneData) {
    const home = button("Reset view", "as at first (r, double click)", () => this.reset());
    const bar = element("div", { class: "bar" }, this.playButton, this.time, this.clock, this.speed, this.followButton, home);
    const grid = element("span", { class: "unit" }, `grid ${number(data.step)} m`);
    const legend = swatches(key(data.labels, data.films, data.grey, data.grounds), grid);
    this.root = element("section", { class: "film" }, legend, this.canvas, this.print, this.note, bar);
    Object.assign(this.time, { min: String(board.start), max: String(board.stop), value: String(board.start) });
    for (const speed of SPEEDS) this.speed.append(new Option(`${speed} \u00d7`, String(speed), false, speed === 1));
    this.time.addEventListener("input", () => {
      this.play(false);
      board.place(Number(this.time.value));
    });
    try {
      this.viewer = new blockdynFilm.Viewer(this.canvas, data, board.colours.dark);
      if (Number.isNaN(board.playhead)) board.playhead = board.start;
      requestAnimationFrame((clock) => this.frame(clock));
    } catch {
      this.note.textContent = "Three dimensions need WebGL, which this browser does not give.";
      this.canvas.hidden = bar.hidden = true;
    }
  }

  paint(): void {
    if (!this.viewer) return;
    this.viewer.paint(this.board.colours.dark);
    const printed = this.board.paper > 0;
    if (printed) this.print.src = this.viewer.picture(this.board.playhead); // paper takes nothing from WebGL
    this.print.hidden = !printed;
    this.canvas.hidden = printed;
  }

  get keys(): Record<string, () => void> {
    return { " ": () => this.play(!this.playing), f: () => this.follow(), r: () => this.reset() };
  }

  private play(on: boolean): void {
    const { board } = this;
    if (on && board.playhead >= board.stop) board.place(board.start);
    this.playing = on && board.stop > board.start;
    this.playButton.textContent = this.playing ? "Pause" : "Play";
  }

  private follow(): void {
    if (!this.viewer) return;
    this.viewer.follow(!this.viewer.following);
    this.followButton.setAttribute("aria-pressed", String(this.viewer.following));
  }

  private reset(): void {
    this.viewer?.reset();
    this.followButton.setAttribute("aria-pressed", "false");
  }

  private frame(clock: number): void {
    const { board } = this, passed = Math.min(0.25, (clock - this.seen) / 1000);
    this.seen = clock;
    if (this.playing) {
      board.place(board.playhead + passed * Number(this.speed.value));
      if (board.playhead >= board.stop) this.play(false);
    }
    if (this.written !== board.playhead) {
      this.written = board.playhead;
      this.time.value = String(board.playhead);
      this.clock.textContent = `${board.playhead.toFixed(2)} of ${number(board.stop)} s`;
    }
    this.viewer?.draw(board.playhead);
    requestAnimationFrame((next) => this.frame(next));
  }
}
