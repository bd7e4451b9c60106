// Simulated: a page that runs its diagram itself: whoever moves a slider sees the whole run anew.

import { Controls } from "../live/controls";
import { button, element, number, write } from "../page/element";
import { EventList, type Happened } from "../page/events";
import { keyTable, keys, zoomBar } from "../page/toolbar";
import { Board } from "../scopes/board";
import { Appearance } from "../scopes/colours";
import { chart, type Line } from "../scopes/scope";
import { Series } from "../scopes/series";
import type { SimulatedData } from "./data";
import { Dial } from "./dial";
import { DONE, Engine, FULL, PAUSED } from "./engine";

export { Dial, Engine };

const SLICE = 8; // ms of computing between two pictures
const MOST_SAMPLES = 8e6; // of all lines
const HELD_ONLY = 6; // flag of a row that has held signals alone, as in solvers/layout.py
const DIRECTIONS = ["falling", "", "rising"];
const CROSSING = 1; // a kind of events

/** Show the diagram of the page's element `data`, and run it. */
export async function show(): Promise<void> {
  const data = JSON.parse(document.getElementById("data")!.textContent!) as SimulatedData;
  try {
    const engine = await Engine.load(data.image), dials = await Promise.all(data.sliders.map(Dial.of));
    new Simulated(document.querySelector<HTMLElement>(".blockdyn")!, data, engine, dials).simulate();
  } catch (error) {
    const text = `This browser cannot run the page: ${error}. Current versions of Firefox, Chrome and Safari can.`;
    document.getElementById("run")!.replaceChildren(element("p", { class: "warn" }, text));
  }
}

function runs(status: number): boolean {
  return status === PAUSED || status === FULL;
}

class Simulated {
  private readonly board!: Board; // none yet when the page's colours are looked at first
  private readonly lines: Line[];
  private readonly list: EventList;
  private readonly ended = element("p", { class: "quiet", role: "status" });
  private readonly controls: Controls;
  private readonly progress = element("p", { class: "quiet", "aria-hidden": "true" });
  private events: Happened[] = [];
  private samples = 0;
  private pictures = 0; // of the run
  private run = 0; // the number of the latest one: an earlier one ends

  constructor(private readonly root: HTMLElement, private readonly data: SimulatedData, private readonly engine: Engine,
    private readonly dials: Dial[]) {
    const appearance: Appearance = new Appearance(root, () => this.board?.paint(appearance.colours, appearance.paper));
    this.board = new Board(data.start, data.stop, appearance.colours);
    this.lines = data.series.map(({ name, unit, held }) => (
      { name, unit, series: new Series(new Float64Array(0), new Float64Array(0), held) }
    ));
    this.list = new EventList(this.board);
    this.controls = new Controls(data.sliders, (asked) => {
      if (asked.type === "touch") this.touch(asked.changes);
    });
    for (const { title, form, series, labels } of data.scopes) {
      const lines = series.map((k, i) => ({ ...this.lines[k], name: labels[i] }));
      this.board.scopes.push(chart(this.board, title, form, lines));
    }
    const dark = button("Light / dark", "light or dark", () => appearance.toggle());
    const first = button("Reset", "every slider as at first", () => this.reset());
    first.hidden = data.sliders.length === 0;
    const bar = element("div", { class: "toolbar" }, zoomBar(this.board), first, dark);
    const scopes = element("div", { class: "scopes" }, ...this.board.scopes.map((scope) => scope.root));
    const page = element("div", { class: "live" }, bar, scopes, element("div", { class: "side" }, this.controls.root), this.list.root);
    page.classList.toggle("one", data.sliders.length === 0);
    document.getElementById("run")!.replaceChildren(this.ended, this.progress, page);
    document.getElementById("keys")!.replaceChildren(keyTable());
    keys(window, this.board);
  }

  /** Run from the start to the end with the present values, a slice before each picture. */
  async simulate(): Promise<void> {
    const mine = ++this.run;
    this.events = [];
    for (const { series } of this.lines) series.cut(-Infinity);
    this.samples = this.pictures = 0;
    try {
      let status = this.engine.begin(this.dials.filter((dial) => dial.moved).map((dial) => dial.change));
      while (mine === this.run) {
        status = this.slice(status);
        this.board.hurry();
        this.root.dataset.pictures = String(++this.pictures);
        if (!runs(status) || this.samples > MOST_SAMPLES) return this.end(status);
        write(this.progress, `computing: ${number(this.engine.time)} of ${number(this.data.stop)} s`);
        await new Promise(requestAnimationFrame);
      }
    } catch (error) {
      this.fail(String(error));
    }
  }

  /** Compute for the time between two pictures. Returns the status. */
  private slice(status: number): number {
    const end = performance.now() + SLICE;
    do {
      if (runs(status)) status = this.engine.advance(Math.max(0, end - performance.now()));
      this.take();
    } while (runs(status) && performance.now() < end);
    return status;
  }

  private fail(text: string): void {
    this.say(text, "warn");
    this.root.dataset.ready = "true";
  }

  private say(text: string, kind: string): void {
    write(this.progress, "");
    write(this.ended, text);
    this.ended.className = kind;
  }

  private touch(changes: Record<string, number>): void {
    for (const dial of this.dials) if (dial.slider.path in changes) dial.turn(changes[dial.slider.path]);
    this.tell();
  }

  private reset(): void {
    for (const dial of this.dials) dial.value = dial.slider.value;
    this.tell();
  }

  /** Show the numbers, and run with them. */
  private tell(): void {
    this.controls.tell(Object.fromEntries(this.dials.map(({ slider, value }) => [slider.path, value])), true);
    this.simulate();
  }

  /** Take over the rows and events that the run has written. */
  private take(): void {
    const rows = this.engine.rows(), { columns } = this.data.image.log, count = rows.length / columns;
    const times = Float64Array.from({ length: count }, (_, i) => rows[i * columns]);
    const whole = [...times.keys()].filter((i) => rows[i * columns + 1] !== HELD_ONLY);
    this.lines.forEach(({ series }, k) => {
      const { column, held } = this.data.series[k];
      if (held || whole.length === count) series.append(times, Float64Array.from(times, (_, i) => rows[i * columns + column]));
      else series.append(whole.map((i) => times[i]), whole.map((i) => rows[i * columns + column]));
    });
    this.samples += count * this.lines.length;
    const events = this.engine.events();
    for (let i = 0; i < events.length; i += this.data.image.events.columns) this.happened(events.subarray(i));
  }

  private happened([time, kind, which, way]: Float64Array): void {
    if (kind !== CROSSING) {
      this.events.push({ time, path: this.data.timers[which], kind: "time", detail: "" });
      return;
    }
    const [path, name, tells] = this.data.crossings[which];
    const detail = [name, tells ? DIRECTIONS[way + 1] : ""].filter(Boolean).join(" ");
    this.events.push({ time, path, kind: "zero crossing", detail });
  }

  private end(status: number): void {
    if (runs(status)) return this.fail("too many samples for a page: `every` keeps fewer");
    const failed = status > FULL && Number.isFinite(this.engine.trouble), at = failed ? this.engine.trouble : this.engine.time;
    if (status === DONE) this.say(this.data.ends[DONE], "quiet");
    else this.say(`${this.data.ends[status]}, at t = ${number(at)} s`, "warn");
    this.board.stop = Math.max(this.engine.time, this.data.start);
    this.board.known = this.board.stop;
    this.list.tell(this.events);
    this.board.redraw();
    this.root.dataset.ready = "true";
    this.root.dataset.runs = String(this.run);
  }
}
