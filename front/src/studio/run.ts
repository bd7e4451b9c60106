// Run: the scopes of a run below the canvas, its events on a line of time, and what it said.

import { button, element, number } from "../page/element";
import { EventList } from "../page/events";
import { zoomBar } from "../page/toolbar";
import { Board, type Chart } from "../scopes/board";
import type { Appearance } from "../scopes/colours";
import { chart, type Line } from "../scopes/scope";
import { Series } from "../scopes/series";
import type { Canvas } from "./canvas";
import { type Message, type Model, type Problem, type Result, type Wire, end } from "./model";
import { Sparks } from "./sparks";
import { type Tab, Tray } from "./tray";

const MOST_SCOPES = 40;
const MOST_TICKS = 300; // events on the line of time
const USUAL = 10; // s of a run for which neither the file nor anybody here says how long it is
const USUAL_END = "reached the stop time";
const QUICK = 0.4; // s of a run that is done again at every change
const LATER = 250; // ms until the table of events is made anew
const TICKS = new Set(["time", "sample"]); // of clocks
const RERUN = new Set(["text", "undo", "redo", "insert", "reload"]);

export class RunPane {
  private readonly stop = element("input", { "aria-label": "stop time", inputmode: "decimal", class: "stop" });
  private readonly auto = element("input", { type: "checkbox", checked: true });
  private readonly said = element("span", { class: "said", role: "status" });
  private readonly bar = element("div", { class: "zooms" });
  private readonly time = element("input", { type: "range", class: "moment", min: "0", max: "1000", step: "any", "aria-label": "time shown", disabled: true });
  private readonly at = element("output", { class: "at" });
  private readonly ticks = element("div", { class: "timeline", "aria-label": "events on a line of time", role: "img" });
  private readonly place = element("div", { class: "plots" });
  private readonly tab: Tab;
  readonly tray: Tray;
  readonly sparks: Sparks;
  private board: Board | null = null;
  private shape = ""; // of the scopes that are shown
  private charts: Chart[] = [];
  private lines = new Map<string, Line[]>(); // those of each path: by its own name, and by names in scopes
  private list: EventList | null = null;
  private results = 0;
  private slow = 0; // runs in a row that were not quick: the first of a program compiles it
  private picked: string[] = []; // outputs that have a scope of their own
  busy = false;
  /** What went wrong in the last run. */
  errors: Problem[] = [];

  constructor(private readonly model: Model, canvas: Canvas, private readonly appearance: Appearance, opened: (on: boolean) => void,
    private readonly declared: () => boolean) {
    this.tray = new Tray(opened);
    this.sparks = new Sparks(model, canvas);
    const go = button("Run", "run (Ctrl+Enter)", () => this.run());
    go.classList.add("go");
    const head = element("div", { class: "controls" }, go, element("label", {}, "until ", this.stop, " s"),
      element("label", { title: "run again after every change, where a run is quick" }, this.auto, " at every change"),
      this.said, this.time, this.at, this.bar);
    this.tab = this.tray.add("Run", element("div", { class: "ran" }, head, this.ticks, this.place), { shown: () => this.board?.redraw() });
    this.stop.addEventListener("keydown", (event) => event.key === "Enter" && this.run());
    this.time.addEventListener("input", () => this.board?.place(this.moment(Number(this.time.value))));
    this.ticks.addEventListener("click", (event) => {
      const at = (event.target as HTMLElement).dataset.time;
      if (at !== undefined) this.board?.place(Number(at));
    });
    model.attach = (change) => this.again(change);
    model.watch("message", (message) => {
      if (message?.type === "result") this.draw(message as unknown as Result);
      else if (message?.type === "error" && message.about === "run") this.fail(String(message.text));
    });
    model.watch("state", () => {
      this.stop.placeholder = this.declared() ? "as the file" : String(USUAL);
      this.age();
    });
  }

  get root(): HTMLElement {
    return this.tray.root;
  }

  show(on: boolean): void {
    this.tray.show(on);
  }

  paint(): void {
    this.board?.paint(this.appearance.colours, this.appearance.paper);
  }

  run(): void {
    if (this.busy) return;
    this.show(true);
    this.tray.choose(this.tab);
    this.model.flush();
    const start = () => {
      const stop = this.end();
      if (stop !== null && !(stop > 0)) return this.fail("The stop time is a number of seconds above 0.");
      this.busy = true;
      this.slow = 0;
      this.place.parentElement!.classList.add("busy");
      this.tell("running \u2026", "");
      this.model.fail([]);
      this.model.send({ type: "run", stop });
    };
    if (this.model.idle) start();
    else this.model.then(start);
  }

  /** The stop time; none where the file has one. */
  end(): number | null {
    const text = this.stop.value.trim();
    return text ? Number(text) : this.declared() ? null : USUAL;
  }

  /** Run what a change makes, where somebody has run it and it was quick. */
  private again(change: Message): Record<string, unknown> {
    const edits = change.type === "edit" ? (change.edits as unknown[][]) : null;
    const matters = edits ? edits.some(([method]) => method !== "place") : RERUN.has(change.type);
    const stop = this.end();
    return matters && this.auto.checked && this.results && this.slow < 2 && !(Number.isNaN(stop)) ? { run: { stop } } : {};
  }

  private tell(text: string, kind: string): void {
    this.said.textContent = text;
    this.said.className = `said ${kind}`;
  }

  private fail(text: string): void {
    this.busy = false;
    this.place.parentElement!.classList.remove("busy");
    this.tell(text, "warn");
  }

  /** Results of a text that has changed since look older. */
  private age(): void {
    const old = this.results !== 0 && this.model.state?.version !== this.results;
    this.place.classList.toggle("old", old);
    if (old && this.errors.length) this.model.fail((this.errors = []));
  }

  // ---- scopes ----

  /** Give a wire's signal a scope of its own, or take it away. */
  pick(wire: Wire): void {
    const block = this.model.blocks.get(wire.from[0]);
    if (!block) return;
    const path = `${this.model.path(block.name)}.${block.outputs[wire.from[1]].name}`;
    this.picked = this.picked.includes(path) ? this.picked.filter((other) => other !== path) : [path, ...this.picked];
    this.model.say(this.picked.includes(path) ? `${end(block, "outputs", wire.from[1])} has a scope` : `${path} has no scope of its own any more`);
    if (this.results) this.scopes(this.last!);
    else this.run();
  }

  private last: Result | null = null;
  private listing = 0;

  private draw(result: Result): void {
    this.busy = false;
    this.place.parentElement!.classList.remove("busy");
    this.results = result.version;
    this.last = result;
    this.slow = result.seconds > QUICK ? this.slow + 1 : 0;
    const { message, complete, seconds, events } = result;
    this.errors = result.version === this.model.state?.version ? result.errors ?? [] : [];
    this.model.fail((result.errors ?? []).flatMap(({ path, blocks }) => [...(path ? [path] : []), ...(blocks ?? [])].flatMap((at) => this.model.at(at) ?? [])));
    const stopped = message && message !== USUAL_END ? `${message}: ` : "";
    this.tell(complete ? `${stopped}${result.signals.length} signals, ${events.length} events in ${Number(seconds.toPrecision(2))} s` : message, complete ? "quiet" : "warn");
    this.scopes(result);
  }

  private scopes(result: Result): void {
    const times = new Map(Object.entries(result.time).map(([path, time]) => [path, Float64Array.from(time)]));
    const ends = [...times.values()].filter((time) => time.length), series = new Map<string, [string, Series]>();
    for (const signal of result.signals) {
      const time = times.get(signal.time) ?? times.get(signal.path) ?? ends[0];
      if (!time) continue;
      const values = Float64Array.from(signal.values, (value) => value ?? NaN), count = Math.min(time.length, values.length);
      series.set(signal.path, [signal.unit ?? "", new Series(time.slice(0, count), values.slice(0, count), signal.kind === "discrete")]);
    }
    const start = Math.min(...ends.map((time) => time[0])), stop = Math.max(...ends.map((time) => time[time.length - 1]));
    const shape = JSON.stringify([[...series.keys()], this.picked, result.signals.map(({ unit }) => unit), result.scopes]);
    if (this.board && shape === this.shape) this.renew(series, start, stop);
    else this.build(result, series, start, stop);
    this.shape = shape;
    clearTimeout(this.listing); // the table is long: it waits for somebody to stop writing
    const list = this.list!, told = result.events.map((event) => ({ ...event, detail: event.detail ?? "" }));
    this.board!.marks = told.filter(({ kind }) => !TICKS.has(kind)).map(({ time }) => time);
    this.listing = window.setTimeout(() => list.tell(told), list.root.hidden ? 0 : LATER);
    this.sparks.show(this.board!, this.board!.lines);
    this.line(result);
    this.age();
    this.board!.hurry();
    this.board!.point(this.board!.cursor); // legends are written anew
  }

  /** The same signals with other samples: the charts, and the time in view, stay. */
  private renew(series: Map<string, [string, Series]>, start: number, stop: number): void {
    const board = this.board!, all = board.whole;
    for (const [path, [, samples]] of series) for (const line of this.lines.get(path)!) line.series = samples;
    [board.start, board.stop, board.known] = [start, stop, stop];
    if (all) board.all();
  }

  private build({ scopes }: Result, series: Map<string, [string, Series]>, start: number, stop: number): void {
    const board = (this.board = new Board(Number.isFinite(start) ? start : 0, Number.isFinite(stop) ? stop : 1, this.appearance.colours));
    this.lines = new Map([...series].map(([path, [unit, samples]]) => [path, [{ name: path, unit, series: samples }]]));
    board.lines = [...this.lines.values()].flat();
    const groups = new Map<string, Line[]>();
    for (const path of this.picked) {
      const lines = board.lines.filter(({ name }) => name === path || name.startsWith(`${path}[`) || name === path.split(".")[0]);
      if (lines.length) groups.set(`\u25cf ${path}`, lines);
    }
    const picked = [...groups].map(([title, of]) => chart(board, title, "time", of)), declared = (scopes ?? []).flatMap(({ title, form, lines }) => {
      const of = lines.flatMap(([path, name]) => {
        const [first] = this.lines.get(path) ?? [];
        if (!first) return [];
        const line = { ...first, name };
        this.lines.get(path)!.push(line);
        return [line];
      });
      return of.length ? [chart(board, title, form, of)] : [];
    });
    for (const line of declared.length ? [] : board.lines) {
      const title = line.name.split("[")[0], group = groups.get(title);
      if (group) group.push(line);
      else if (!groups.has(`\u25cf ${title}`)) groups.set(title, [line]);
    }
    const others = declared.length ? [] : [...groups].slice(picked.length).map(([title, of]) => chart(board, title, "time", of));
    this.charts = [...picked, ...declared, ...others].slice(0, MOST_SCOPES);
    this.list = new EventList(board);
    this.list.root.hidden = true; // until it is filled
    board.scopes.push(...this.charts);
    this.bar.replaceChildren(zoomBar(board));
    this.place.replaceChildren(...this.charts.map((scope) => scope.root), this.list.root);
    this.time.disabled = false;
    board.watch(() => this.moved());
    this.moved();
  }

  // ---- time ----

  private moment(part: number): number {
    const { start, stop } = this.board!;
    return start + (part / 1000) * (stop - start);
  }

  private moved(): void {
    const { playhead, start, stop } = this.board!;
    const at = Number.isNaN(playhead) ? stop : playhead, text = Number.isNaN(playhead) ? "" : `${number(playhead)} s`;
    if (document.activeElement !== this.time) this.time.value = String((1000 * (at - start)) / (stop - start || 1));
    this.time.setAttribute("aria-valuetext", text || "end");
    if (this.at.textContent !== text) this.at.textContent = text;
  }

  /** Events as ticks: a press goes there. */
  private line({ events }: Result): void {
    const { start, stop } = this.board!, shown = events.filter(({ kind }) => !TICKS.has(kind)).slice(0, MOST_TICKS);
    this.ticks.hidden = shown.length === 0;
    this.ticks.replaceChildren(...shown.map(({ time, path, kind, detail }) => {
      const tick = element("i", { title: `${number(time)} s: ${path} ${detail || kind}`, "data-time": String(time) });
      tick.style.left = `${(100 * (time - start)) / (stop - start || 1)}%`;
      return tick;
    }));
    this.ticks.setAttribute("aria-label", `${shown.length} events on a line of time`);
  }
}
