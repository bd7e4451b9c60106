// Sparks: the signals of the last run as small curves at the outputs they leave, with their values at the cursor.

import { number, unitText } from "../page/element";
import type { Board } from "../scopes/board";
import type { Line } from "../scopes/scope";
import { type Canvas, svg } from "./canvas";
import { type Model, sideOf } from "./model";
import { STEPS } from "./route";

const WIDTH = 38, HEIGHT = 10; // px of a curve
const ABOVE = 3; // px from a wire to the curve over it
const COLUMNS = 38; // least and greatest values that a curve shows
const MOST_LINES = 6; // elements of a signal
const MOST_BLOCKS = 300;

interface Spark { path: string; text: SVGTextElement; title: SVGTitleElement; lines: Line[] }

export class Sparks {
  on = true;
  private lines = new Map<string, Line[]>(); // of each output
  private board: Board | null = null;
  private sparks: Spark[] = [];

  constructor(private readonly model: Model, private readonly canvas: Canvas) {
    model.watch("state", () => this.draw());
  }

  toggle(): void {
    this.on = !this.on;
    this.draw();
  }

  /** Curves of another run; each is kept at the output of its path. */
  show(board: Board, lines: Line[]): void {
    this.lines = new Map();
    for (const line of lines) {
      const output = line.name.split("[")[0], same = this.lines.get(output);
      if (same) same.push(line);
      else this.lines.set(output, [line]);
    }
    if (this.board !== board) board.watch(() => this.read());
    this.board = board;
    this.draw();
  }

  private draw(): void {
    const { model, canvas, board } = this;
    for (const old of canvas.svg.querySelectorAll(".spark")) old.remove();
    this.sparks = [];
    if (!this.on || !board || model.blocks.size > MOST_BLOCKS) return;
    for (const block of model.blocks.values()) block.outputs.forEach((port) => {
      const path = `${model.path(block.name)}.${port.name}`, lines = this.lines.get(path) ?? this.lines.get(model.path(block.name)), group = canvas.group(block.name);
      if (!lines || !group || (!port.wired && block.outputs.length > 1)) return;
      const curve = curves(lines.slice(0, MOST_LINES), board), text = svg("text", { x: WIDTH + 2, y: 3 }), title = svg("title");
      const { dx, dy } = port, [right, down] = STEPS[sideOf(block, "outputs")];
      const x = dx + (right < 0 ? -WIDTH - 7 : 7), y = dy + (down > 0 ? ABOVE + HEIGHT : -ABOVE - HEIGHT);
      group.append(svg("g", { class: "spark", transform: `translate(${x} ${y})` }, title, svg("rect", { width: WIDTH, height: HEIGHT }), ...curve, text));
      this.sparks.push({ path, text, title, lines });
    });
    this.read();
  }

  /** Write the values at the cursor, else at the playhead. */
  private read(): void {
    const { board } = this;
    if (!board) return;
    const t = Number.isNaN(board.cursor) ? board.playhead : board.cursor;
    for (const { path, text, title, lines } of this.sparks) {
      const [{ unit, series }] = lines, last = series.count ? series.values[series.count - 1] : NaN;
      const said = Number.isNaN(t) ? "" : lines.length > 1 ? "" : number(series.at(t));
      if (text.textContent !== said) text.textContent = said;
      const about = Number.isNaN(t) ? `last value ${number(last)}` : `${lines.slice(0, MOST_LINES).map((line) => number(line.series.at(t))).join(", ")} at ${number(t)} s`;
      title.textContent = `${path}: ${about} ${unitText(unit)}`.trim();
    }
  }
}

/** The elements of one signal, in one range of values. */
function curves(lines: Line[], { start, stop }: Board): SVGPathElement[] {
  let low = Infinity, high = -Infinity;
  for (const { series: { values, count } } of lines) for (let i = 0; i < count; i++) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  const flat = !(high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high)));
  const y = (value: number) => (flat ? HEIGHT / 2 : 1 + (HEIGHT - 2) * (1 - (value - low) / (high - low)));
  return lines.map(({ series: { time, values, count, stepped } }) => {
    let path = "", column = -1, least = NaN, most = NaN, first = true;
    const put = () => {
      if (column < 0 || Number.isNaN(least)) return;
      const x = ((column + 0.5) / COLUMNS) * WIDTH;
      const to = stepped && !first ? `H${x.toFixed(1)}V${y(least).toFixed(1)}` : `${first ? "M" : "L"}${x.toFixed(1)} ${y(least).toFixed(1)}`;
      path += `${to}${most > least ? `V${y(most).toFixed(1)}` : ""}`;
      first = false;
    };
    for (let i = 0; i < count; i++) {
      const at = Math.min(COLUMNS - 1, Math.floor(((time[i] - start) / (stop - start || 1)) * COLUMNS));
      if (at !== column) {
        put();
        [column, least, most] = [at, NaN, NaN];
      }
      if (!(values[i] >= least)) least = values[i];
      if (!(values[i] <= most)) most = values[i];
    }
    put();
    return svg("path", { d: first ? "" : `${path}H${WIDTH}` });
  });
}
