// Page: a run that goes on: scopes that grow, what moves, what can be changed, what happened.

import { button, element } from "../page/element";
import { EventList, type Happened } from "../page/events";
import { keyTable, keys } from "../page/toolbar";
import { Board, type Chart } from "../scopes/board";
import { Appearance } from "../scopes/colours";
import { chart } from "../scopes/scope";
import { Series } from "../scopes/series";
import { Controls } from "./controls";
import type { Asked, EventRow, Hello, Path, Picture, Range, Samples, State } from "./messages";
import { LiveScene } from "./scene";
import { Touched } from "./touched";
import { Transport } from "./transport";
import { TimeWindow } from "./window";

const KEYS: [string, string][] = [["Space", "play, pause"], ["n", "on to the next event"], ["l", "go along"], ["f  r", "follow, reset the view"]];

export class Page {
  readonly root = element("div", { class: "live" });
  private readonly board: Board;
  private readonly series: Series[];
  private readonly transport: Transport;
  private readonly window: TimeWindow;
  private readonly controls: Controls;
  private readonly touched = new Touched();
  private readonly list: EventList;
  private readonly scene: LiveScene | null;
  private readonly drawing = element("div", { class: "diagram" }, "drawing ...");
  private readonly events: Happened[] = [];
  private readonly withoutKeys: () => void;
  private playing = false;
  private hurried = false; // another future has begun, and is not seen yet
  private flat = false; // the last picture had no three dimensions because of that
  private unshown: number[] = [];
  private listing = 0; // the timer of the next list of events
  private computed = 0; // how far the run is known, s
  private asked = 0; // the number of the last range
  private forgotten = 0; // answers up to this one are of a future that was given up

  constructor(hello: Hello, private readonly send: (message: Asked) => void, appearance: Appearance, target: Window | HTMLElement) {
    this.board = new Board(hello.start, hello.stop ?? hello.state.computed, appearance.colours);
    this.series = hello.series.map(({ held }) => new Series(new Float64Array(0), new Float32Array(0), held));
    this.transport = new Transport(send, hello.start, hello.stop);
    this.window = new TimeWindow(this.board, (seconds) => this.tellView(seconds), (from, to) => this.askRange(from, to));
    this.controls = new Controls(hello.controls, send);
    this.list = new EventList(this.board, true);
    this.scene = hello.scene && new LiveScene(hello.scene, appearance.colours.dark);
    this.board.sought = (t) => this.transport.seek(t);
    this.board.watch(() => this.painted());
    for (const scope of hello.scopes) this.board.scopes.push(this.scope(hello, scope));
    this.lay(hello, appearance);
    this.withoutKeys = keys(target, this.board, {
      " ": () => this.transport.toggle(),
      n: () => this.transport.next(),
      l: () => this.window.follow(),
      ...(this.scene ? { f: () => this.scene!.follow(), r: () => this.scene!.reset() } : {}),
    });
    this.happened(hello.events);
    this.state(hello.state);
  }

  /** When it has its place in the document, and so a width: ask for what was before. */
  opened(): void {
    this.window.follow();
    this.askRange(this.board.start, this.computed);
  }

  private scope(hello: Hello, { title, form, series, labels }: Hello["scopes"][number]): Chart {
    const lines = series.map((k, i) => ({
      name: labels[i] ?? hello.series[k].label,
      unit: hello.series[k].unit,
      series: this.series[k],
    }));
    return chart(this.board, title, form, lines);
  }

  private lay(hello: Hello, appearance: Appearance): void {
    const dark = button("Light / dark", "light or dark", () => appearance.toggle());
    this.window.root.append(dark);
    const bar = element("div", { class: "toolbar" }, this.transport.root, this.window.root);
    const scopes = element("div", { class: "scopes" }, ...this.board.scopes.map((scope) => scope.root));
    const side = element("div", { class: "side" }, this.scene?.root, this.controls.root, this.touched.root);
    this.root.classList.toggle("one", !this.scene && hello.controls.length === 0);
    this.root.append(bar, scopes, side, this.list.root, this.diagram(hello), keyTable(KEYS));
  }

  /** Drawing takes a second or more: it is done when somebody opens its place. */
  private diagram({ drawable, lacking }: Hello): HTMLElement | string {
    if (lacking) return element("p", { class: "quiet" }, `The diagram is not drawn: ${lacking} brings what draws it.`);
    if (!drawable) return "";
    const place = element("details", { class: "drawing" }, element("summary", {}, "The diagram"), this.drawing);
    place.addEventListener("toggle", () => this.send({ type: "drawing" }), { once: true });
    return place;
  }

  state(state: State): void {
    this.transport.tell(state);
    this.playing = state.playing;
    this.controls.tell(state.values);
    this.touched.tell(state.touched);
    this.at(state.time, state.computed);
  }

  picture(picture: Picture): void {
    this.add(picture);
    this.scene?.pose(picture.time, picture.poses);
    this.unshown.push(picture.number);
    this.transport.at(picture.time, picture.computed);
    this.at(picture.time, picture.computed);
  }

  path({ times, values }: Path): void {
    this.scene?.went(times, values);
  }

  range({ id, from, to, times, values }: Range): void {
    if (id <= this.forgotten) return;
    this.series.forEach((series, k) => series.replace(from, to, ...sampled(times, values[k])));
    this.board.redraw();
  }

  happened(events: EventRow[]): void {
    for (const [time, path, kind, what, way] of events) {
      this.events.push({ time, path, kind, detail: [what, way].filter(Boolean).join(" ") });
    }
    this.listed();
  }

  /** Another future begins at t. */
  truncate(t: number): void {
    for (const series of this.series) series.cut(t);
    this.scene?.cut(t);
    const count = this.events.findLastIndex(({ time }) => time <= t) + 1;
    if (count < this.events.length) {
      this.events.length = count;
      this.listed();
    }
    this.forgotten = this.asked;
    this.hurried = true;
    this.board.hurry();
  }

  /** Whether the run goes on, as far as is known. */
  get goes(): boolean {
    return this.playing;
  }

  /** Where the run does not hear, nothing can be asked of it; what is shown can be looked at. */
  reached(on: boolean): void {
    this.transport.root.inert = this.controls.root.inert = !on;
  }

  paint(appearance: Appearance): void {
    this.board.paint(appearance.colours, appearance.paper);
    this.scene?.paint(appearance.colours.dark);
  }

  /** As an image: what an image holds is drawn and never run. */
  drawn(svg: string | null): void {
    const image = { alt: "the diagram", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg ?? "")}` };
    this.drawing.replaceChildren(svg ? element("img", image) : "It cannot be drawn.");
  }

  dispose(): void {
    this.withoutKeys();
    this.scene?.dispose();
  }

  private add({ times, values }: Samples): void {
    if (times.length) this.series.forEach((series, k) => series.append(...sampled(times, values[k])));
  }

  private at(time: number, computed: number): void {
    this.computed = computed;
    this.board.playhead = time;
    this.board.known = Math.max(time, this.lastSample);
    this.board.stop = Math.max(this.board.stop, computed);
    this.window.move();
    this.board.redraw();
  }

  /** Held values are drawn until here: where samples were told last. */
  private get lastSample(): number {
    return this.series.reduce((last, { time, count }) => Math.max(last, count ? time[count - 1] : last), this.board.start);
  }

  /** Some times a second: events may come in thousands. */
  private listed(): void {
    this.listing ||= window.setTimeout(() => {
      this.listing = 0;
      this.list.tell(this.events);
    }, this.events.length > 1000 ? 1000 : 200);
  }

  private painted(): void {
    const flat = this.hurried && !this.flat; // curves first, but bodies move under a slider that is dragged
    this.hurried = false;
    this.flat = flat;
    if (!flat && (this.board.budget.deep || !this.playing)) this.scene?.draw();
    for (const frame of this.unshown) this.send({ type: "shown", frame });
    this.unshown = [];
  }

  private get pixels(): number {
    return Math.max(300, Math.round(this.root.clientWidth * devicePixelRatio));
  }

  private tellView(seconds: number): void {
    this.send({ type: "view", seconds, pixels: this.pixels });
  }

  private askRange(from: number, to: number): void {
    if (to > from) this.send({ type: "range", id: ++this.asked, from, to, pixels: this.pixels });
  }
}

function sampled(times: Float64Array, values: Float32Array): [number[], number[]] {
  const instants: number[] = [], numbers: number[] = [];
  for (let i = 0; i < times.length; i++) {
    if (Number.isNaN(values[i])) continue;
    instants.push(times[i]);
    numbers.push(values[i]);
  }
  return [instants, numbers];
}

