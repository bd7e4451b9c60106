// Transport: play, pause, the next event, the pace, and the bar that goes back to any moment.

import { button, element, number, write } from "../page/element";
import { Seldom } from "../page/seldom";
import type { Asked, State } from "./messages";
import { OncePerPicture } from "./pictures";

const PACES = ["0.1", "0.25", "0.5", "1", "2", "5", "10", "100"];
const STATUS = { running: "", complete: "complete", stopped: "stopped", failed: "failed", ended: "ended" };

export class Transport {
  readonly root: HTMLElement;
  private readonly playButton = button("Pause", "play, pause (Space)", () => this.toggle());
  private readonly pace = element("select", { "aria-label": "pace: seconds of the run a second" });
  private readonly bar = element("input", { type: "range", step: "any", "aria-label": "moment of the run" });
  private readonly clock = element("span", { class: "clock" });
  private readonly note = element("span", { class: "note" });
  private readonly endButton = button("End", "end the run here and keep its result", () => this.end());
  private readonly seeks: OncePerPicture<number>;
  private readonly moment = new Seldom(() => this.writeMoment());
  private time = 0;
  private computed = 0;
  private playing = false;
  private sure = false;

  constructor(private readonly send: (message: Asked) => void, start: number, private readonly stop: number | null) {
    this.seeks = new OncePerPicture((time) => send({ type: "seek", time }), (_, later) => later);
    for (const pace of PACES) this.pace.append(new Option(`${pace} \u00d7 real time`, pace));
    this.pace.append(new Option("as fast as it goes", ""));
    this.pace.addEventListener("change", () => send({ type: "pace", pace: this.pace.value ? Number(this.pace.value) : null }));
    this.bar.min = String(start);
    this.bar.addEventListener("input", () => this.seek(Number(this.bar.value)));
    const next = button("Next event", "on to the next event, then pause (n)", () => this.next());
    this.root = element("div", { class: "controls transport" },
      this.playButton, next, this.pace, this.bar, this.clock, this.endButton, this.note);
  }

  toggle(): void {
    this.send({ type: this.playing ? "pause" : "play" });
  }

  next(): void {
    this.send({ type: "next" });
  }

  seek(t: number): void {
    this.seeks.want(t);
  }

  at(time: number, computed: number): void {
    this.time = time;
    this.computed = computed;
    this.moment.want();
  }

  private writeMoment(): void {
    this.bar.max = String(this.stop ?? this.computed);
    if (!this.bar.matches(":active")) this.bar.value = String(this.time);
    const end = this.stop === null ? "" : ` of ${number(this.stop)}`;
    write(this.clock, `${this.time.toFixed(2)}${end} s`);
  }

  tell(state: State): void {
    this.playing = state.playing;
    write(this.playButton, state.playing ? "Pause" : "Play");
    const pace = state.pace === null ? "" : String(state.pace);
    if (![...this.pace.options].some((option) => option.value === pace)) {
      this.pace.append(new Option(`${pace} \u00d7 real time`, pace));
    }
    if (document.activeElement !== this.pace) this.pace.value = pace;
    const behind = state.behind && state.playing ? "slower than asked: the computer does not keep up" : "";
    const viewers = state.viewers > 1 ? `${state.viewers} viewers` : "";
    const status = [STATUS[state.status], state.message].filter(Boolean).join(": ");
    write(this.note, [status, behind, viewers].filter(Boolean).join(" \u00b7 "));
    this.note.classList.toggle("warn", state.status === "failed");
    this.at(state.time, state.computed);
  }

  /** The button asks once more: what was not computed yet is not computed any more. */
  private end(): void {
    if (this.sure) this.send({ type: "end" });
    this.sure = !this.sure;
    this.endButton.textContent = this.sure ? "End the run?" : "End";
    if (this.sure) setTimeout(() => {
      this.sure = false;
      this.endButton.textContent = "End";
    }, 3000);
  }
}
