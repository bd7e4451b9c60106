// Route: orthogonal wires from outputs to inputs, around blocks, each net in a lane of its own.

export type Point = [x: number, y: number];
export interface Box { x: number; y: number; w: number; h: number }

/** Where a wire leaves an output, and where it comes from at an input: 1 right, -1 left. */
export type Ways = [out: 1 | -1, into: 1 | -1];

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

  /** The corners of a wire of a net from an output to an input; `ways` lead away from both: 1 to the right. */
  route(net: string, a: Point, b: Point, ways: Ways = [1, -1]): Point[] {
    let best: Point[] = [], least = Infinity;
    const consider = (points: Point[]) => {
      const cost = this.cost(net, points, least, ways);
      if (cost < least) [best, least] = [points, cost];
    };
    if (Math.abs(a[1] - b[1]) <= LEVEL && ways[0] !== ways[1] && (b[0] - a[0]) * ways[0] > 0) consider([a, b]);
    if (least > BLOCKED / 2) this.direct(net, a, b, ways, consider);
    if (least > BLOCKED / 2) this.around(net, a, b, ways, consider);
    this.occupy(net, best);
    return best;
  }

  private direct(net: string, a: Point, b: Point, [out, into]: Ways, consider: (points: Point[]) => void): void {
    const middle = Math.round((a[0] + b[0]) / 10) * 5;
    for (const x of [middle, ...(this.trunks.get(net) ?? []), ...lanes(a[0], out), ...lanes(b[0], into), middle + 8, middle - 8, middle + 16, middle - 16]) {
      if ((x - a[0]) * out >= STUB && (x - b[0]) * into >= STUB) consider([a, [x, a[1]], [x, b[1]], b]);
    }
  }

  private around(net: string, a: Point, b: Point, [away, into]: Ways, consider: (points: Point[]) => void): void {
    const left = Math.min(a[0], b[0] - 40), right = Math.max(a[0] + 40, b[0]), top = Math.min(a[1], b[1]), low = Math.max(a[1], b[1]);
    const rows = new Set<number>([Math.round((top + low) / 2)]);
    for (const box of this.grid.within(left, top - 60, right, low + 60)) for (const lane of [0, 8, 16, 24, 32]) {
      rows.add(box.y - MARGIN - 7 - lane);
      rows.add(box.y + box.h + LABEL + 8 + lane);
    }
    const near = (y: number) => Math.abs(y - a[1]) + Math.abs(y - b[1]);
    const outs = [...(this.trunks.get(net) ?? []).filter((x) => (x - a[0]) * away >= STUB && (x - a[0]) * away < 60), ...lanes(a[0], away)];
    const tried = [...rows].sort((p, q) => near(p) - near(q)).slice(0, 40);
    for (const y of tried) for (const out of outs) for (const back of lanes(b[0], into)) {
      consider([a, [out, a[1]], [out, y], [back, y], [back, b[1]], b]);
    }
  }

  private cost(net: string, points: Point[], most: number, [out, into]: Ways): number {
    let cost = BEND * (points.length - 2);
    for (let k = 1; k < points.length && cost < most; k++) {
      const [x0, y0] = points[k - 1], [x1, y1] = points[k];
      cost += Math.abs(x1 - x0) + Math.abs(y1 - y0);
      const from = k === 1 ? x0 + out * (STUB - 1) : x0, to = k === points.length - 1 ? x1 + into * (STUB - 1) : x1;
      const lowX = Math.min(from, to), highX = Math.max(from, to);
      if (y0 !== y1 || (to - from) * out > 0 || points.length > 2) {
        cost += BLOCKED * this.grid.within(lowX, Math.min(y0, y1), highX, Math.max(y0, y1)).size;
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
      if (key[0] === "v") this.trunks.set(net, [...(this.trunks.get(net) ?? []), at]);
    }
  }
}

const lanes = (x: number, way: 1 | -1) => [14, 22, 30, 38].map((by) => x + way * by);

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
  let [left, top, right, low] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of points) [left, top, right, low] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(low, y)];
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
