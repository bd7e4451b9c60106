// Orbit: one chart of signals over other signals, from a ring at the start to a dot at the playhead.

import { element, number, unitText, write } from "../page/element";
import type { Board, Chart } from "./board";
import { merged } from "./merged";
import type { Line } from "./scope";

interface Curve {
  x: number[];
  y: number[];
}

interface Span {
  low: number;
  high: number;
}

const SIZE = { height: 340, left: 62, right: 20, top: 10, bottom: 44 };
const MOST_WIDE = 560;
const TURNS: Record<string, number> = { rad: 2 * Math.PI, deg: 360 };
const WRAPPED = 0.84; // turns in one step: the angle has wrapped, as in diagrams/results/wraps.py
const COLUMNS = 2000; // pieces of the time in view

export class Orbit implements Chart {
  readonly root: HTMLElement;
  private readonly canvas = element("canvas");
  private readonly place = element("div", { class: "chart" }, this.canvas);
  private readonly legend = element("div", { class: "legend" });
  private readonly values: HTMLElement[] = [];
  private readonly pairs: [Line, Line][];
  near = false;

  /** The second half of the lines over the first. */
  constructor(private readonly board: Board, title: string, lines: Line[]) {
    const half = lines.length / 2;
    this.pairs = lines.slice(0, half).map((line, k) => [line, lines[half + k]]);
    for (const pair of this.pairs) {
      const value = element("output"), swatch = element("i");
      this.legend.append(element("span", {}, swatch, `${pair[1].name} over ${pair[0].name}`, value));
      this.values.push(value);
    }
    this.root = element("section", { class: "scope" }, element("h3", {}, title), this.legend, this.place);
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

  /** Write where the signals are at the cursor, else at the playhead, else at last. */
  read(): void {
    this.pairs.forEach((pair, k) => {
      write(this.values[k], pair.map(({ series }) => number(series.at(this.now))).join(", "));
    });
  }

  build(): void {
    this.legend.querySelectorAll("i").forEach((swatch, k) => (swatch.style.borderTop = `3px solid ${this.colour(k)}`));
  }

  private colour(k: number): string {
    const { lines } = this.board.colours;
    return lines[k % lines.length];
  }

  draw(): void {
    const wide = this.board.paper || this.place.clientWidth;
    if (!wide || !(this.near || this.board.paper)) return;
    const width = Math.min(wide, MOST_WIDE), context = this.canvas.getContext("2d")!;
    this.canvas.width = width * devicePixelRatio;
    this.canvas.height = SIZE.height * devicePixelRatio;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${SIZE.height}px`;
    context.scale(devicePixelRatio, devicePixelRatio);
    const curves = this.pairs.map((pair) => this.curve(pair));
    const inner = { width: width - SIZE.left - SIZE.right, height: SIZE.height - SIZE.top - SIZE.bottom };
    let across = span(curves.flatMap((curve) => curve.x)), up = span(curves.flatMap((curve) => curve.y));
    const [first] = this.pairs;
    if (first[0].unit && first[0].unit === first[1].unit) [across, up] = alike(across, up, inner.width / inner.height);
    const right = (x: number) => SIZE.left + ((x - across.low) / (across.high - across.low)) * inner.width;
    const down = (y: number) => SIZE.top + ((up.high - y) / (up.high - up.low)) * inner.height;
    this.axes(context, across, up, right, down);
    curves.forEach((curve, k) => this.line(context, curve, k, right, down));
  }

  private get now(): number {
    const { cursor, playhead, known } = this.board;
    return !Number.isNaN(cursor) ? cursor : !Number.isNaN(playhead) ? playhead : known;
  }

  private curve([x, y]: [Line, Line]): Curve {
    const { from, to, known } = this.board;
    const { times, values } = merged([x.series, y.series], from, to, COLUMNS, known);
    const curve: Curve = { x: [], y: [] };
    times.forEach((t, i) => {
      if (t < from || t > to) return;
      curve.x.push(values[0][i] === undefined ? x.series.at(t) : values[0][i] ?? NaN);
      curve.y.push(values[1][i] === undefined ? y.series.at(t) : values[1][i] ?? NaN);
    });
    return curve;
  }

  private line(
    context: CanvasRenderingContext2D, { x, y }: Curve, k: number, right: (x: number) => number, down: (y: number) => number,
  ): void {
    const colour = this.colour(k), { playhead } = this.board.colours;
    context.strokeStyle = colour;
    context.lineWidth = 1.4;
    context.beginPath();
    const [across, up] = [wrap(x, this.pairs[k][0].unit), wrap(y, this.pairs[k][1].unit)];
    let begun = false;
    for (let i = 0; i < x.length; i++) {
      const known = Number.isFinite(x[i]) && Number.isFinite(y[i]);
      const wrapped = Math.abs(x[i] - x[i - 1]) > across || Math.abs(y[i] - y[i - 1]) > up;
      if (known) context[begun && !wrapped ? "lineTo" : "moveTo"](right(x[i]), down(y[i]));
      begun = known;
    }
    context.stroke();
    if (!x.length) return;
    context.beginPath();
    context.arc(right(x[0]), down(y[0]), 4, 0, 2 * Math.PI);
    context.stroke();
    const [a, b] = this.pairs[k].map(({ series }) => series.at(this.now));
    context.fillStyle = Number.isNaN(this.board.playhead) || this.pairs.length > 1 ? colour : playhead;
    context.beginPath();
    context.arc(right(a), down(b), 4, 0, 2 * Math.PI);
    context.fill();
  }

  private axes(
    context: CanvasRenderingContext2D, across: Span, up: Span, right: (x: number) => number, down: (y: number) => number,
  ): void {
    const { colours } = this.board, bottom = down(up.low), [x, y] = this.pairs[0];
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = colours.text;
    context.strokeStyle = colours.grid;
    context.lineWidth = 1;
    context.textAlign = "center";
    context.beginPath();
    for (const tick of ticks(across, 6)) {
      context.moveTo(right(tick), SIZE.top);
      context.lineTo(right(tick), bottom);
      context.fillText(number(tick), right(tick), bottom + 16);
    }
    context.textAlign = "right";
    for (const tick of ticks(up, 6)) {
      context.moveTo(SIZE.left, down(tick));
      context.lineTo(right(across.high), down(tick));
      context.fillText(number(tick), SIZE.left - 6, down(tick) + 4);
    }
    context.stroke();
    context.textAlign = "center";
    context.fillText(`${x.name} ${unitText(x.unit)}`, (SIZE.left + right(across.high)) / 2, bottom + 34);
    context.save();
    context.translate(12, (SIZE.top + bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(`${y.name} ${unitText(y.unit)}`, 0, 0);
    context.restore();
  }
}

/** From the least to the greatest number, with some room. */
function span(values: number[]): Span {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high && value < Infinity) high = value;
  }
  if (!(high >= low)) return { low: -1, high: 1 };
  const room = high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high)) ? 0.06 * (high - low) : 0.5 * (Math.abs(high) || 1);
  return { low: low - room, high: high + room };
}

/** One scale for both. */
function alike(across: Span, up: Span, ratio: number): [Span, Span] {
  const scale = Math.max((across.high - across.low) / ratio, up.high - up.low);
  const wider = ({ low, high }: Span, size: number) => ({ low: (low + high - size) / 2, high: (low + high + size) / 2 });
  return [wider(across, scale * ratio), wider(up, scale)];
}

/** Round numbers in a span: some, or a few more. */
function ticks({ low, high }: Span, some: number): number[] {
  const rough = (high - low) / some, size = 10 ** Math.floor(Math.log10(rough));
  const step = size * (rough > 5 * size ? 10 : rough > 2 * size ? 5 : rough > size ? 2 : 1);
  const found: number[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

/** The step at which an angle that stays within one turn has wrapped. */
function wrap(values: number[], unit: string): number {
  const turn = TURNS[unit] ?? Infinity;
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low <= turn * (1 + 1e-6) ? WRAPPED * turn : Infinity;
}
