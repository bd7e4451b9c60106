// Route: orthogonal wires from outputs to inputs, around blocks, each net in a lane of its own.

export type Point = [x: number, y: number];
export interface Box { x: number; y: number; w: number; h: number }

/** A direction: 0 to the right, 1 down, 2 to the left, 3 up. */
export type Heading = 0 | 1 | 2 | 3;
export const STEPS: readonly Point[] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/** Where a wire leaves an output, and where it comes from at an input, away from both. */
export type Ways = [out: Heading, into: Heading];
type Signs = [out: 1 | -1, into: 1 | -1];

const STUB = 10; // px straight out of a port
const LEVEL = 1.1; // px by which a wire may lie askew: less is seen than a step
const MARGIN = 5; // px around a block
const LABEL = 14; // px below a block, for its name
const CELL = 160; // px of the grid in which boxes are looked up
const BEND = 14, BLOCKED = 4000, OVERLAP = 60; // costs, in px of length

/** Boxes by the cells they lie in. */
class Grid {
  private readonly cells = new Map<string, Box[]>();

  constructor(boxes: Iterable<Box>) {
    for (const box of boxes) this.each(box.x - MARGIN, box.y - MARGIN, box.x + box.w + MARGIN, box.y + box.h + LABEL, (key) => {
      const cell = this.cells.get(key);
      if (cell) cell.push(box);
      else this.cells.set(key, [box]);
    });
  }

  private each(x0: number, y0: number, x1: number, y1: number, act: (key: string) => void): void {
    for (let i = Math.floor(x0 / CELL); i <= Math.floor(x1 / CELL); i++) {
      for (let j = Math.floor(y0 / CELL); j <= Math.floor(y1 / CELL); j++) act(`${i},${j}`);
    }
  }

  within(x0: number, y0: number, x1: number, y1: number): Set<Box> {
    const boxes = new Set<Box>();
    this.each(x0, y0, x1, y1, (key) => {
      for (const box of this.cells.get(key) ?? []) {
        if (box.x - MARGIN < x1 && box.x + box.w + MARGIN > x0 && box.y - MARGIN < y1 && box.y + box.h + LABEL > y0) boxes.add(box);
      }
    });
    return boxes;
  }
}

export class Router {
  private readonly grid: Grid;
  private readonly lanes = new Map<string, [low: number, high: number, net: string, at: number][]>();
  private readonly trunks = new Map<string, number[]>(); // where a net's wires run up or down

  constructor(boxes: Iterable<Box>) {
    this.grid = new Grid(boxes);
  }

  /** Forget the wires that were led. */
  clear(): void {
    this.lanes.clear();
    this.trunks.clear();
  }

  /** The corners of a wire of a net from an output to an input. */
  route(net: string, a: Point, b: Point, ways: Ways = [0, 2]): Point[] {
    let best: Point[] = [], least = Infinity;
    const upright = ways[0] % 2 === 1, across: (point: Point) => Point = upright ? ([x, y]) => [y, x] : (point) => point; // as if it led to the right
    const consider = (points: Point[]) => {
      const shown = points.map(across), cost = this.cost(net, shown, least, ways);
      if (cost < least) [best, least] = [shown, cost];
    };
    const signs = ways.map((way) => (way < 2 ? 1 : -1)) as Signs, p = across(a), q = across(b), trunk = upright ? `${net}|` : net;
    if (ways[0] % 2 !== ways[1] % 2) this.corner(p, q, signs, consider);
    else {
      if (Math.abs(p[1] - q[1]) <= LEVEL && signs[0] !== signs[1] && (q[0] - p[0]) * signs[0] > 0) consider([p, q]);
      if (least > BLOCKED / 2) this.direct(trunk, p, q, signs, consider);
      if (least > BLOCKED / 2) this.around(trunk, p, q, signs, consider);
    }
    this.occupy(net, best);
    return best;
  }

  /** From a port at a side to one at the top or bottom. */
  private corner(a: Point, b: Point, [out, into]: Signs, consider: (points: Point[]) => void): void {
    if ((b[0] - a[0]) * out >= STUB && (a[1] - b[1]) * into >= STUB) consider([a, [b[0], a[1]], b]);
    const xs = [Math.round((a[0] + b[0]) / 10) * 5, ...lanes(a[0], out), ...lanes(b[0], 1, 40), ...lanes(b[0], -1, 40)];
    const ys = [Math.round((a[1] + b[1]) / 10) * 5, ...lanes(b[1], into)];
    for (const x of xs) if ((x - a[0]) * out >= STUB) for (const y of ys) {
      if ((y - b[1]) * into >= STUB) consider([a, [x, a[1]], [x, y], [b[0], y], b]);
    }
  }

  private direct(net: string, a: Point, b: Point, [out, into]: Signs, consider: (points: Point[]) => void): void {
    const middle = Math.round((a[0] + b[0]) / 10) * 5;
    for (const x of [middle, ...(this.trunks.get(net) ?? []), ...lanes(a[0], out), ...lanes(b[0], into), middle + 8, middle - 8, middle + 16, middle - 16]) {
      if ((x - a[0]) * out >= STUB && (x - b[0]) * into >= STUB) consider([a, [x, a[1]], [x, b[1]], b]);
    }
  }

  private around(net: string, a: Point, b: Point, [away, into]: Signs, consider: (points: Point[]) => void): void {
    const upright = net.endsWith("|");
    const left = Math.min(a[0], b[0] - 40), right = Math.max(a[0] + 40, b[0]), top = Math.min(a[1], b[1]), low = Math.max(a[1], b[1]);
    const rows = new Set<number>([Math.round((top + low) / 2)]);
    const boxes = upright ? this.grid.within(top - 60, left, low + 60, right) : this.grid.within(left, top - 60, right, low + 60);
    for (const box of boxes) for (const lane of [0, 8, 16, 24, 32]) {
      const [begin, size] = upright ? [box.x, box.w] : [box.y, box.h];
      rows.add(4 * Math.round((begin - MARGIN - 7 - lane) / 4));
      rows.add(4 * Math.round((begin + size + LABEL + 8 + lane) / 4));
    }
    const near = (y: number) => Math.abs(y - a[1]) + Math.abs(y - b[1]);
    const outs = [...(this.trunks.get(net) ?? []).filter((x) => (x - a[0]) * away >= STUB && (x - a[0]) * away < 60), ...lanes(a[0], away)];
    const tried = [...rows].sort((p, q) => near(p) - near(q)).slice(0, 60);
    for (const y of tried) for (const out of outs) for (const back of lanes(b[0], into)) {
      consider([a, [out, a[1]], [out, y], [back, y], [back, b[1]], b]);
    }
  }

  private cost(net: string, points: Point[], most: number, ways: Ways): number {
    const [out, into] = ways.map((way) => STEPS[way]);
    let cost = BEND * (points.length - 2);
    for (let k = 1; k < points.length && cost < most; k++) {
      const [x0, y0] = points[k - 1], [x1, y1] = points[k];
      cost += Math.abs(x1 - x0) + Math.abs(y1 - y0);
      const first = k === 1 ? STUB - 1 : 0, last = k === points.length - 1 ? STUB - 1 : 0;
      const from = [x0 + out[0] * first, y0 + out[1] * first], to = [x1 + into[0] * last, y1 + into[1] * last];
      if (points.length > 2 || (to[0] - from[0]) * out[0] + (to[1] - from[1]) * out[1] > 0) {
        cost += BLOCKED * this.grid.within(Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.max(from[0], to[0]), Math.max(from[1], to[1])).size;
      }
      cost += this.shared(net, points[k - 1], points[k]);
    }
    return cost;
  }

  /** What is paid for lying upon others; to lie on wires of the same net is a gain. */
  private shared(net: string, p: Point, q: Point): number {
    let cost = 0;
    const [key, low, high, at] = lane(p, q);
    for (const each of neighbours(key)) for (const [from, to, of, line] of this.lanes.get(each) ?? []) {
      const common = Math.min(high, to) - Math.max(low, from);
      if (common > 1) cost += of === net && Math.abs(line - at) < 0.5 ? -Math.min(0.3 * common, 30) : OVERLAP + common;
    }
    return cost;
  }

  /** Take a wire as it was led before. */
  occupy(net: string, points: Point[]): void {
    for (let k = 1; k < points.length; k++) {
      const [key, low, high, at] = lane(points[k - 1], points[k]), there = this.lanes.get(key);
      if (there) there.push([low, high, net, at]);
      else this.lanes.set(key, [[low, high, net, at]]);
      const trunk = key[0] === "v" ? net : `${net}|`; // those across serve wires that leave upright
      this.trunks.set(trunk, [...(this.trunks.get(trunk) ?? []), at]);
    }
  }
}

const lanes = (x: number, way: 1 | -1, beyond = 0) => [14, 22, 30, 38].map((by) => x + way * (by + beyond));

/** The line on which a piece of a wire lies, and what of it. */
function lane([x0, y0]: Point, [x1, y1]: Point): [key: string, low: number, high: number, at: number] {
  return x0 === x1
    ? [`v${Math.round(x0 / 4)}`, Math.min(y0, y1), Math.max(y0, y1), x0]
    : [`h${Math.round(y0 / 4)}`, Math.min(x0, x1), Math.max(x0, x1), y0];
}

function neighbours(key: string): string[] {
  const at = Number(key.slice(1));
  return [-1, 0, 1].map((by) => key[0] + (at + by));
}

/** Whether boxes that have come, gone or moved lie near a wire. */
export function touches(points: Point[], boxes: Box[]): boolean {
  const [left, top, right, low] = bounds(points, 40);
  return boxes.some((box) => box.x < right && box.x + box.w > left && box.y < low && box.y + box.h > top);
}

export function bounds(points: Point[], margin: number): [left: number, top: number, right: number, low: number] {
  let left = Infinity, top = Infinity, right = -Infinity, low = -Infinity;
  for (const point of points) { // once a frame for every wire
    if (point[0] < left) left = point[0];
    if (point[0] > right) right = point[0];
    if (point[1] < top) top = point[1];
    if (point[1] > low) low = point[1];
  }
  return [left - margin, top - margin, right + margin, low + margin];
}

/** Where wires of one net part. */
export function junctions(paths: Point[][]): Point[] {
  if (paths.length < 2) return [];
  const corners = new Map<string, Point>(), dots: Point[] = [];
  for (const path of paths) for (const point of path.slice(1, -1)) corners.set(point.join(), point);
  for (const [x, y] of corners.values()) {
    const ways = new Set<string>();
    for (const path of paths) for (let k = 1; k < path.length; k++) {
      const [x0, y0] = path[k - 1], [x1, y1] = path[k];
      if (x0 === x1 && x === x0 && Math.min(y0, y1) <= y && y <= Math.max(y0, y1)) {
        if (Math.min(y0, y1) < y) ways.add("up");
        if (Math.max(y0, y1) > y) ways.add("down");
      } else if (Math.abs(y0 - y1) <= LEVEL && Math.abs(y - y0) <= LEVEL && Math.min(x0, x1) <= x && x <= Math.max(x0, x1)) {
        if (Math.min(x0, x1) < x) ways.add("left");
        if (Math.max(x0, x1) > x) ways.add("right");
      }
    }
    if (ways.size > 2) dots.push([x, y]);
  }
  return dots;
}

/** The path of an SVG, with corners a little round. */
export function drawn(points: Point[], radius = 4): string {
  let path = `M${points[0][0]} ${points[0][1]}`;
  for (let k = 1; k < points.length - 1; k++) {
    const [x0, y0] = points[k - 1], [x, y] = points[k], [x1, y1] = points[k + 1];
    const r = Math.min(radius, (Math.abs(x - x0) + Math.abs(y - y0)) / 2, (Math.abs(x1 - x) + Math.abs(y1 - y)) / 2);
    const ax = x - r * Math.sign(x - x0), ay = y - r * Math.sign(y - y0), bx = x + r * Math.sign(x1 - x), by = y + r * Math.sign(y1 - y);
    path += `L${ax} ${ay}Q${x} ${y} ${bx} ${by}`;
  }
  const [x, y] = points[points.length - 1];
  return `${path}L${x} ${y}`;
}
