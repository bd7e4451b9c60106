// Board: scopes that share the time axis: range, cursor, playhead and events are the same in all.

import { Seldom } from "../page/seldom";
import { Budget } from "./budget";
import type { Colours } from "./colours";
import type { Line } from "./scope";

/** What shares the time of a board. */
export interface Chart {
  readonly root: HTMLElement;
  /** Whether it is seen, or nearly. */
  readonly near: boolean;
  /** Write the values at the cursor. */
  read(): void;
  /** Begin anew, in the colours of the page. */
  build(): void;
  draw(): void;
}

export class Board {
  readonly scopes: Chart[] = [];
  /** Lines that any scope may add. */
  lines: Line[] = [];
  /** The line that is being dragged. */
  dragged: Line | null = null;
  readonly budget = new Budget();
  /** Where something happened, s, in order. */
  marks: ArrayLike<number> = [];
  playhead = NaN;
  cursor = NaN;
  /** The width of what is printed, pixels; 0 on a screen, where a chart is as wide as its place. */
  paper = 0;
  /** Called when somebody zooms or moves in time. */
  zoomed: () => void = () => {};
  /** Called when somebody asks for an instant, where that is not just shown. */
  sought: ((t: number) => void) | null = null;
  /** Until where values are known, s. */
  known: number;
  private waiting = false;
  private hurried = false;
  private stale: Chart[] = []; // those to be drawn, the one that has waited longest first
  private moved: (() => void)[] = [];
  private readonly values = new Seldom(() => this.read());

  constructor(public start: number, public stop: number, public colours: Colours) {
    this.from = start;
    this.to = this.most;
    this.known = stop;
  }

  from: number;
  to: number;

  private get most(): number {
    return this.stop > this.start ? this.stop : this.start + 1;
  }

  get whole(): boolean {
    return this.from <= this.start && this.to >= this.most;
  }

  /** Tell when range, playhead or cursor have moved. */
  watch(moved: () => void): void {
    this.moved.push(moved);
  }

  zoom(from: number, to: number): void {
    const least = 1e-12 * Math.max(1, Math.abs(this.start), Math.abs(this.stop));
    if (!(to - from > least)) return;
    const span = Math.min(to - from, this.most - this.start);
    const first = Math.min(Math.max(from, this.start), this.most - span);
    this.look(first, first + span);
    this.zoomed();
  }

  /** Show [from, to]. */
  look(from: number, to: number): void {
    this.from = from;
    this.to = to;
    this.redraw();
  }

  /** By a factor, around an instant: the cursor, the playhead if it is seen, or the middle. */
  scale(factor: number, around = this.centre): void {
    this.zoom(around - (around - this.from) * factor, around + (this.to - around) * factor);
  }

  pan(part: number): void {
    const by = part * (this.to - this.from);
    this.zoom(this.from + by, this.to + by);
  }

  all(): void {
    this.zoom(this.start, this.most);
  }

  place(t: number): void {
    const placed = Math.min(Math.max(t, this.start), this.stop);
    if (this.sought) return this.sought(placed);
    this.playhead = placed;
    this.redraw();
  }

  point(t: number): void {
    this.cursor = t;
    this.read();
    for (const tell of this.moved) tell();
  }

  paint(colours: Colours, paper: number): void {
    this.colours = colours;
    this.paper = paper;
    for (const scope of this.scopes) scope.build();
    if (paper) {
      for (const scope of this.scopes) scope.draw();
      this.read();
    } else this.redraw();
  }

  /** Once, before the next picture; where that takes too long some scopes have to wait for the one after. */
  redraw(): void {
    this.stale = this.stale.filter((scope) => scope.near);
    this.stale.push(...this.scopes.filter((scope) => scope.near && !this.stale.includes(scope)));
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => this.picture());
  }

  /** As redraw, but all of them in the next picture: what was touched is to be seen at once. */
  hurry(): void {
    this.hurried = true;
    this.redraw();
  }

  private picture(): void {
    this.budget.begin(performance.now());
    this.waiting = false;
    const due = this.stale.splice(0, Math.ceil((this.hurried ? 1 : this.budget.scopes) * this.stale.length));
    this.hurried = false;
    for (const scope of due) scope.draw();
    if (!Number.isNaN(this.playhead)) this.values.want();
    for (const tell of this.moved) tell();
    if (this.stale.length && !this.waiting) {
      this.waiting = true;
      requestAnimationFrame(() => this.picture());
    }
  }

  private read(): void {
    for (const scope of this.scopes) if (scope.near || this.paper) scope.read();
  }

  /** The event after (1) or before (-1) the playhead; NaN where there is none. */
  neighbour(way: 1 | -1): number {
    const now = Number.isNaN(this.playhead) ? (way > 0 ? -Infinity : Infinity) : this.playhead;
    let best = NaN;
    for (let i = 0; i < this.marks.length; i++) {
      const t = this.marks[i];
      if (way * (t - now) > 0 && !(way * (t - best) >= 0)) best = t;
    }
    return best;
  }

  private get centre(): number {
    for (const t of [this.cursor, this.playhead]) if (t >= this.from && t <= this.to) return t;
    return (this.from + this.to) / 2;
  }
}
