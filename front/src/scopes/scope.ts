// Scope: one chart of lines over time, with a legend that tells the values at the cursor.

import uPlot from "uplot";
import { button, element, number, unitText, write } from "../page/element";
import type { Board, Chart } from "./board";
import { DASHES } from "./colours";
import { acceptDrops, joiner, letDrag } from "./join";
import { merged } from "./merged";
import { Orbit } from "./orbit";
import type { Series } from "./series";

export interface Line {
  name: string;
  unit: string;
  series: Series;
}

/** The chart of a scope of either form. */
export function chart(board: Board, title: string, form: string, lines: Line[]): Chart {
  return form === "xy" ? new Orbit(board, title, lines) : new Scope(board, title, lines);
}

const HEIGHT = 190;
const MOST_RULES = 60; // events in view that are marked over the whole height
const MOST_SHOWN = 12; // lines of a scope that are drawn before one asks for more

export class Scope implements Chart {
  readonly root: HTMLElement;
  private readonly place = element("div", { class: "chart" });
  private readonly legend = element("div", { class: "legend" });
  private readonly shared = element("span", { class: "unit" });
  private values: HTMLElement[] = [];
  private readonly hidden: boolean[];
  private unit = "";
  private plot: uPlot | null = null;
  near = false;

  constructor(private readonly board: Board, readonly title: string, readonly lines: Line[]) {
    this.hidden = lines.map((_, k) => k >= MOST_SHOWN);
    const head = element("h3", {}, title, " ", this.shared, board.lines.length > 1 ? joiner(board, this) : null);
    this.root = element("section", { class: "scope" }, head, this.legend, this.place);
    acceptDrops(board, this);
    this.fill(MOST_SHOWN);
    this.build();
    this.read();
    new IntersectionObserver(([seen]) => {
      this.near = seen.isIntersecting;
      if (!this.near) return;
      this.draw();
      this.read();
    }, { rootMargin: "100px" }).observe(this.root);
    new ResizeObserver(() => this.draw()).observe(this.place);
  }

  /** Draw one more line. */
  add(line: Line): void {
    if (this.lines.includes(line)) return;
    this.lines.push(line);
    this.hidden.push(false);
    this.fill(this.lines.length);
    this.build();
    this.draw();
    this.read();
  }

  /** Write the unit and the legend. */
  private fill(count: number): void {
    const units = new Set(this.lines.map((line) => line.unit));
    this.unit = units.size === 1 ? this.lines[0].unit : "";
    write(this.shared, unitText(this.unit));
    this.values = [];
    this.legend.replaceChildren();
    this.list(count);
  }

  /** The legend of so many lines, and a button that lists the others. */
  private list(count: number): void {
    const { lines, legend, values } = this;
    lines.slice(values.length, count).forEach((line) => legend.append(this.entry(line, values.length)));
    const left = lines.length - values.length;
    if (!left) return;
    const more = button(`${left} more`, "the other lines, which are not drawn yet", () => {
      more.remove();
      this.list(lines.length);
      this.read();
    });
    legend.append(more);
  }

  private entry(line: Line, k: number): HTMLElement {
    const value = element("output"), swatch = this.swatch(k);
    const unit = this.unit ? "" : ` ${unitText(line.unit)}`;
    const entry = element("button", { type: "button", "aria-pressed": String(!this.hidden[k]) }, swatch, line.name + unit, value);
    entry.addEventListener("click", () => {
      this.hidden[k] = !this.hidden[k];
      entry.setAttribute("aria-pressed", String(!this.hidden[k]));
      this.plot?.setSeries(k + 1, { show: !this.hidden[k] });
      this.draw();
    });
    if (this.board.lines.length > 1) letDrag(this.board, entry, line);
    this.values.push(value);
    return entry;
  }

  /** Write the values at the cursor, else at the playhead, else the last ones. */
  read(): void {
    const { cursor, playhead } = this.board;
    const t = Number.isNaN(cursor) ? playhead : cursor;
    this.values.forEach((place, k) => {
      const { series } = this.lines[k];
      const value = Number.isNaN(t) ? (series.count ? series.values[series.count - 1] : NaN) : series.at(t);
      write(place, number(value));
    });
  }

  /** Make the chart anew, in the colours of the page. */
  build(): void {
    this.plot?.destroy();
    this.plot = null;
    this.legend.querySelectorAll("i").forEach((swatch, k) => swatch.replaceWith(this.swatch(k)));
  }

  private swatch(k: number): HTMLElement {
    const { lines } = this.board.colours, swatch = element("i");
    swatch.style.borderTop = `3px ${k < lines.length ? "solid" : "dashed"} ${colour(lines, k)}`;
    return swatch;
  }

  draw(): void {
    const width = this.board.paper || this.place.clientWidth;
    if (!width || !(this.near || this.board.paper)) return;
    this.plot ??= this.made(width);
    if (this.plot.width !== width) this.plot.setSize({ width, height: HEIGHT });
    const { from, to, known } = this.board;
    const drawn = this.lines.filter((_, k) => !this.hidden[k]).map((line) => line.series);
    const { times, values } = merged(drawn, from, to, width, known), none = new Array<undefined>(times.length);
    this.plot.setData([times, ...this.hidden.map((hidden) => (hidden ? none : values.shift()!))]);
  }

  private made(width: number): uPlot {
    const { board } = this, { colours } = board;
    const axis: uPlot.Axis = {
      stroke: colours.text,
      grid: { stroke: colours.grid, width: 1 },
      ticks: { stroke: colours.grid, width: 1, size: 4 },
      font: "12px system-ui, sans-serif",
    };
    return new uPlot({
      width,
      height: HEIGHT,
      padding: [8, 20, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: true, y: false, setScale: false }, points: { show: false }, sync: { key: "board", scales: ["x", null] }, y: false },
      scales: { x: { time: false, range: () => [board.from, board.to] }, y: { range: room } },
      axes: [
        { ...axis, size: 28, values: (_, ticks) => ticks.map((t, i) => number(t) + (i === ticks.length - 1 ? " s" : "")) },
        { ...axis, size: 62, values: (_, ticks) => ticks.map(number) },
      ],
      series: [{}, ...this.lines.map((line, k) => this.styled(line, k))],
      hooks: {
        setSelect: [(plot) => this.selected(plot)],
        setCursor: [(plot) => this.pointed(plot)],
        draw: [(plot) => this.marked(plot)],
        ready: [(plot) => this.listen(plot)],
      },
    }, [[], ...this.lines.map(() => [])], this.place);
  }

  private styled(line: Line, k: number): uPlot.Series {
    const { lines } = this.board.colours;
    return {
      label: line.name,
      show: !this.hidden[k],
      stroke: colour(lines, k),
      width: 1.4,
      pxAlign: 0,
      dash: DASHES[Math.floor(k / lines.length) % DASHES.length],
      paths: line.series.stepped ? uPlot.paths.stepped!({ align: 1 }) : undefined,
      points: { show: line.series.count === 1, size: 6 },
    };
  }

  private selected(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < 4) return;
    const from = plot.posToVal(left, "x"), to = plot.posToVal(left + width, "x");
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.board.zoom(from, to);
  }

  private pointed(plot: uPlot): void {
    const { left } = plot.cursor;
    if (!plot.over.matches(":hover")) return; // another scope's cursor, brought here
    this.board.point(left === undefined || left < 0 ? NaN : plot.posToVal(left, "x"));
  }

  private listen(plot: uPlot): void {
    let pressed = 0;
    plot.over.addEventListener("mousedown", (event) => (pressed = event.clientX));
    plot.over.addEventListener("mouseleave", () => this.board.point(NaN));
    plot.over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - pressed) < 4) this.board.place(plot.posToVal(event.offsetX, "x"));
    });
    plot.over.addEventListener("dblclick", () => this.board.all());
    plot.over.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey) return; // the page scrolls
      event.preventDefault();
      if (event.ctrlKey) this.board.scale(Math.exp(0.004 * event.deltaY), plot.posToVal(event.offsetX, "x"));
      else this.board.pan(0.001 * (event.deltaY || event.deltaX));
    }, { passive: false });
  }

  /** Draw events and playhead. */
  private marked(plot: uPlot): void {
    const { ctx, bbox } = plot, { marks, playhead, colours, from, to } = this.board;
    const rule = (x: number, color: string, width: number, height = bbox.height) => {
      ctx.fillStyle = color;
      ctx.fillRect(Math.round(x) - width / 2, bbox.top + bbox.height - height, width, height);
    };
    const seen: number[] = [];
    for (let i = first(marks, from); i < marks.length && marks[i] <= to; i++) {
      const x = Math.round(plot.valToPos(marks[i], "x", true));
      if (!seen.length || x - seen[seen.length - 1] >= 2 * devicePixelRatio) seen.push(x);
    }
    const height = seen.length > MOST_RULES ? 6 * devicePixelRatio : bbox.height;
    for (const x of seen) rule(x, colours.event, devicePixelRatio, height);
    if (playhead >= from && playhead <= to) rule(plot.valToPos(playhead, "x", true), colours.playhead, 1.5 * devicePixelRatio);
  }
}

/** The first instant at or after t. */
function first(instants: ArrayLike<number>, t: number): number {
  let low = 0, high = instants.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if (instants[half] < t) low = half + 1;
    else high = half;
  }
  return low;
}

function colour(lines: string[], k: number): string {
  return lines[k % lines.length];
}

/** Some room above and below; rounding noise on a constant does not fill the chart. */
function room(_: uPlot, low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-9 * size || size === 0) return [low - (0.5 * size || 1), high + (0.5 * size || 1)];
  return [low - 0.06 * (high - low), high + 0.06 * (high - low)];
}
