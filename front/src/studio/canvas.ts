// Canvas: the diagram as SVG that can be moved and zoomed; it changes only what differs from what it shows.

import { button, element } from "../page/element";
import { type Block, type Model, type Port, sideOf, type Wire, wireKey } from "./model";
import { type Box, bounds, drawn, junctions, type Point, Router, STEPS, touches } from "./route";

const SVG = "http://www.w3.org/2000/svg";
const GRID = 20; // px between the dots of the ground, at zoom 1
const LEAST = 0.05, MOST = 4; // zoom
const FAR = 0.4; // zoom below which names and ports are left out
const FARTHER = 0.2; // zoom below which a block is a box
const REACH = 26; // px on the screen from which a port takes a wire
const MANY = 300; // blocks above which those out of view are left out
const MOST_ICONS = 1000; // that are kept, to be copied for other blocks
const AT_ONCE = 400, SLICE = 12; // wires that are led at once; ms of leading others in one go
const OVERVIEW = 700; // blocks in view above which all blocks are one path, and all wires another one
const USUAL: Point = [50, 40]; // px of a block
const ROOM = 48; // px around a diagram that is fitted in

/** The diagrams around the one that is shown, as buttons, and why it cannot be edited. */
function pathBar(model: Model): HTMLElement {
  const bar = element("nav", { class: "levels", "aria-label": "path of the subsystem", hidden: true });
  model.watch("state", () => {
    const names = model.level ? model.level.split("/") : [], { state } = model;
    bar.hidden = !names.length;
    const step = (label: string, level: string) => {
      const made = button(label, level ? `open ${level}` : "open the outermost diagram", () => model.enter(level));
      if (level === model.level) made.setAttribute("aria-current", "page");
      return made;
    };
    bar.replaceChildren(step(state?.name || "diagram", ""), ...names.map((name, k) => step(name, names.slice(0, k + 1).join("/"))),
      ...(state?.locked ? [element("p", { class: "locked" }, state.locked)] : []));
  });
  return bar;
}

export interface PortPlace { block: Block; side: "inputs" | "outputs"; index: number; at: Point }

export function svg<T extends keyof SVGElementTagNameMap>(
  tag: T, attributes: Record<string, string | number> = {}, ...children: Node[]
): SVGElementTagNameMap[T] {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

interface BlockNode { made: SVGGElement | null; shape: string; seen: boolean }
interface WireNode { group: SVGGElement; wire: Wire; points: Point[]; seen: boolean; rough?: boolean }

export class Canvas {
  readonly svg = svg("svg", {
    class: "sheet blockdyn-diagram", tabindex: 0, role: "listbox", "aria-multiselectable": "true", "aria-label": "diagram",
  });
  private readonly zoomed = element("output", { class: "zoomed", "aria-label": "zoom" });
  private readonly empty = element("div", { class: "empty", hidden: true },
    element("p", {}, "An empty diagram"), element("p", {}, "Double click, or press ", element("kbd", {}, "A"), ", and type a block: ",
      element("code", {}, "gain 3"), ", ", element("code", {}, "1/(s+2)"), ", ", element("code", {}, "pid")));
  private readonly bar: HTMLElement;
  readonly root: HTMLElement;
  private readonly views = new Map<string, { x: number; y: number; k: number }>(); // by level
  private shown = ""; // level
  readonly over = svg("g", { class: "over" });
  private readonly wires = svg("g", { class: "wires" });
  private readonly dots = svg("g", { class: "dots" });
  private readonly blocks = svg("g", { class: "blocks" });
  private readonly overview = svg("g", { class: "overview" }, svg("path", { class: "lines" }), svg("path", { class: "boxes" }), svg("path", { class: "boxes wrong" }),
    svg("path", { class: "boxes on" }));
  private far = false; // the overview is shown
  private readonly world = svg("g", {}, this.wires, this.dots, this.blocks, this.over);
  private readonly nodes = new Map<string, BlockNode>();
  private readonly paths = new Map<string, WireNode>();
  private router: Router | null = null;
  private boxes = new Map<string, Box>(); // where blocks were when the wires were led
  private waiting = false;
  private leading = 0;
  private first = true;
  private size: Point = [0, 0];
  private fitted = false; // nobody has moved the view since it was fitted
  view = { x: 0, y: 0, k: 1 };

  constructor(private readonly model: Model) {
    this.bar = pathBar(model);
    this.root = element("section", { class: "canvas", "aria-label": "canvas" }, this.svg, this.bar, this.empty, this.zoomed);
    this.svg.append(this.world);
    model.watch("level", () => this.change());
    model.watch("state", () => this.draw());
    model.watch("selection", () => this.mark());
    model.watch("failed", () => this.mark());
    new ResizeObserver(() => {
      const { clientWidth, clientHeight } = this.svg, [width, height] = this.size;
      if (this.first || this.fitted) this.fit();
      else this.pan((clientWidth - width) / 2, (clientHeight - height) / 2); // the middle stays there
      this.size = [clientWidth, clientHeight];
      this.look();
    }).observe(this.root);
  }

  // ---- from the screen to the sheet and back ----

  at(event: { clientX: number; clientY: number }): Point {
    const { left, top } = this.svg.getBoundingClientRect(), { x, y, k } = this.view;
    return [(event.clientX - left - x) / k, (event.clientY - top - y) / k];
  }

  onScreen([x, y]: Point): Point {
    return [x * this.view.k + this.view.x, y * this.view.k + this.view.y];
  }

  get centre(): Point {
    const { x, y, k } = this.view;
    return [(this.svg.clientWidth / 2 - x) / k, (this.svg.clientHeight / 2 - y) / k];
  }

  /** The corner of a place near a point at which a block of usual size covers no other: rows below, then columns. */
  vacant([x, y]: Point): Point {
    const boxes = [...this.model.blocks.values()].map((block) => this.box(block)), [w, h] = USUAL;
    for (let column = 0; column < 20; column++) for (let row = 0; row < 12; row++) {
      const left = x + column * 1.5 * w, top = y + row * 1.5 * h;
      const covers = boxes.some((box) => box.x < left + w + 10 && box.x + box.w + 10 > left && box.y < top + h && box.y + box.h + 16 > top);
      if (!covers) return [left, top];
    }
    return [x, y];
  }

  pan(dx: number, dy: number): void {
    this.fitted = false;
    this.view.x += dx;
    this.view.y += dy;
    this.look();
  }

  /** By a factor, around a point of the screen; the middle without one. */
  zoom(factor: number, around?: { clientX: number; clientY: number }): void {
    const { left, top, width, height } = this.svg.getBoundingClientRect(), { view } = this;
    const px = around ? around.clientX - left : width / 2, py = around ? around.clientY - top : height / 2;
    const k = Math.min(MOST, Math.max(LEAST, view.k * factor));
    view.x = px - ((px - view.x) * k) / view.k;
    view.y = py - ((py - view.y) * k) / view.k;
    view.k = k;
    this.fitted = false;
    this.look();
  }

  /** Show all blocks, or some. */
  fit(names: Iterable<string> = this.model.blocks.keys()): void {
    const { clientWidth: width, clientHeight: height } = this.svg;
    const boxes = [...names].map((name) => this.model.blocks.get(name)).filter((block) => block !== undefined).map((block) => this.box(block));
    if (!width || !height) return;
    if (!boxes.length) {
      this.view = { x: width / 2, y: height / 2, k: 1 };
      return this.look();
    }
    const all = boxes.length === this.model.blocks.size, corners = boxes.flatMap(({ x, y, w, h }): Point[] => [[x, y], [x + w, y + h + 16]]);
    if (all) for (const { points } of this.paths.values()) corners.push(...points);
    const [left, top, right, low] = bounds(corners, 0);
    this.fitted = all;
    const k = Math.max(LEAST, Math.min(1.5, (width - 2 * ROOM) / (right - left), (height - 2 * ROOM) / (low - top)));
    this.view = { k, x: width / 2 - (k * (left + right)) / 2, y: height / 2 - (k * (top + low)) / 2 };
    this.look();
  }

  /** Bring a block into view, without a move where it is seen already. */
  reveal(name: string): void {
    const block = this.model.blocks.get(name);
    if (!block) return;
    const { x, y, w, h } = this.box(block), [left, top] = this.onScreen([x, y]), [right, low] = this.onScreen([x + w, y + h]);
    const { clientWidth: width, clientHeight: height } = this.svg;
    if (left >= 8 && top >= 8 && right <= width - 8 && low <= height - 8) return;
    this.pan(width / 2 - (left + right) / 2, height / 2 - (top + low) / 2);
  }

  /** The part of the drawing that is a block, which moves with it. */
  group(name: string): SVGGElement | undefined {
    return this.nodes.get(name)?.made ?? undefined;
  }

  /** Another level is shown: from where it was looked at before. */
  private change(): void {
    this.views.set(this.shown, this.view);
    this.shown = this.model.level;
    for (const { made } of this.nodes.values()) made?.remove();
    for (const { group } of this.paths.values()) group.remove();
    this.nodes.clear();
    this.paths.clear();
    this.boxes.clear();
    const view = this.views.get(this.shown);
    this.fitted = false;
    this.first = view === undefined;
    if (view) this.view = view;
  }

  // ---- what is drawn ----

  box(block: Block): Box {
    const [x, y] = this.model.place(block);
    return { x, y, w: block.w, h: block.h };
  }

  port(block: Block, side: "inputs" | "outputs", index: number): Point {
    const { x, y, w, h } = this.box(block), port = block[side][index], [right, down] = STEPS[sideOf(block, side)];
    return port ? [x + port.dx, y + port.dy] : [x + ((1 + right) * w) / 2, y + ((1 + down) * h) / 2];
  }

  draw(): void {
    const { model } = this;
    this.svg.classList.toggle("stale", model.stale);
    this.empty.hidden = model.blocks.size > 0 || model.stale || model.state === null;
    for (const [name, node] of this.nodes) if (!model.blocks.has(name)) {
      node.made?.remove();
      this.nodes.delete(name);
    }
    const fresh = document.createDocumentFragment();
    for (const block of model.blocks.values()) {
      const { x, y, ...looks } = block, shape = JSON.stringify(looks);
      let node = this.nodes.get(block.name);
      if (node?.shape !== shape) {
        const all = model.blocks.size <= MANY, seen = all || (node?.seen ?? false), group = seen ? made(block) : null; // others when they are seen
        if (group && node?.made?.isConnected) node.made.replaceWith(group);
        else if (group) fresh.append(group);
        if (!group) node?.made?.remove();
        this.nodes.set(block.name, (node = { made: group, shape, seen }));
      }
      this.put(block);
    }
    this.blocks.append(fresh);
    this.lead();
    this.mark();
    if (this.first) this.fit();
    this.first = false;
    this.look();
  }

  private put(block: Block): void {
    const [x, y] = this.model.place(block);
    this.nodes.get(block.name)?.made?.setAttribute("transform", `translate(${x} ${y})`);
  }

  /** Draw blocks at the places they are dragged to, and their wires. */
  drag(names: ReadonlySet<string>): void {
    const { model } = this;
    this.router ??= new Router([...model.blocks.values()].filter((block) => !names.has(block.name)).map((block) => this.box(block)));
    this.router.clear();
    for (const block of model.blocks.values()) if (names.has(block.name)) this.put(block);
    for (const node of this.paths.values()) {
      if (names.has(node.wire.from[0]) || names.has(node.wire.to[0])) this.leadOne(node, this.router);
    }
    this.join();
    if (this.far) this.drawFar();
  }

  dropped(): void {
    this.router = null;
    this.lead();
    if (this.far) this.drawFar();
  }

  /** Route the wires: those between neighbours first; one near which nothing has changed stays as it is. */
  private lead(): void {
    const { model } = this, boxes = new Map([...model.blocks.values()].map((block) => [block.name, this.box(block)]));
    const router = new Router(boxes.values()), changed: Box[] = [];
    for (const name of new Set([...boxes.keys(), ...this.boxes.keys()])) {
      const [p, q] = [boxes.get(name), this.boxes.get(name)];
      if (!p || !q || p.x !== q.x || p.y !== q.y || p.w !== q.w || p.h !== q.h) changed.push(...[p, q].filter((box) => box !== undefined));
    }
    this.boxes = boxes;
    const present = new Set<string>(), far: [number, WireNode][] = [];
    for (const wire of model.scene.wires) {
      const source = model.blocks.get(wire.from[0]), destination = model.blocks.get(wire.to[0]), key = wireKey(wire);
      if (!source || !destination) continue;
      present.add(key);
      let node = this.paths.get(key);
      if (!node) {
        const group = svg("g", { class: "wire", "data-wire": key },
          svg("title"), svg("path", { class: "hit" }), svg("path", { class: "line" }), svg("path", { class: "arrow" }));
        this.paths.set(key, (node = { group, wire, points: [], seen: true }));
        this.wires.append(group);
      }
      node.wire = wire;
      const port = source.outputs[wire.from[1]], ends = `${wire.source} \u2192 ${wire.destination}`, about = port ? `${ends}\n${portText(port)}` : ends;
      node.group.firstChild!.textContent = about;
      node.group.classList.toggle("wide", wideSignal(port));
      const [x0, y0] = this.port(source, "outputs", wire.from[1]), [x1, y1] = this.port(destination, "inputs", wire.to[1]);
      far.push([Math.abs(x1 - x0) + Math.abs(y1 - y0), node]);
    }
    for (const [key, node] of this.paths) if (!present.has(key)) {
      node.group.remove();
      this.paths.delete(key);
    }
    far.sort((p, q) => p[0] - q[0]);
    const stale = far.filter(([, { wire, points, rough }]) => {
      const a = this.port(model.blocks.get(wire.from[0])!, "outputs", wire.from[1]), b = this.port(model.blocks.get(wire.to[0])!, "inputs", wire.to[1]);
      const stays = points.length > 0 && !rough && String(points[0]) === String(a) && String(points[points.length - 1]) === String(b) && !touches(points, changed);
      if (stays) router.occupy(net(wire), points);
      return !stays;
    });
    clearTimeout(this.leading);
    if (stale.length > AT_ONCE) this.leadLater(stale.map(([, node]) => node), router);
    else for (const [, node] of stale) this.leadOne(node, router);
    this.join();
  }

  /** Many wires are drawn roughly at first, and led while nothing else is to be done. */
  private leadLater(nodes: WireNode[], router: Router): void {
    for (const node of nodes) {
      const { from, to } = node.wire, blocks = this.model.blocks;
      const a = this.port(blocks.get(from[0])!, "outputs", from[1]), b = this.port(blocks.get(to[0])!, "inputs", to[1]), middle = (a[0] + b[0]) / 2;
      node.rough = true;
      this.show(node, [a, [middle, a[1]], [middle, b[1]], b]);
    }
    let next = 0;
    const work = () => {
      const end = performance.now() + SLICE;
      while (next < nodes.length && performance.now() < end) this.leadOne(nodes[next++], router);
      if (next < nodes.length) this.leading = window.setTimeout(work);
      else this.join();
      if (this.far && next === nodes.length) this.drawFar();
    };
    this.leading = window.setTimeout(work, 2 * SLICE);
  }

  private leadOne(node: WireNode, router: Router): void {
    const { model } = this, { from, to } = node.wire;
    const source = model.blocks.get(from[0])!, destination = model.blocks.get(to[0])!;
    const a = this.port(source, "outputs", from[1]), b = this.port(destination, "inputs", to[1]);
    node.rough = false;
    this.show(node, router.route(net(node.wire), a, b, [sideOf(source, "outputs"), sideOf(destination, "inputs")]));
  }

  private show(node: WireNode, points: Point[]): void {
    node.points = points;
    const b = points[points.length - 1], path = drawn(points), [, hit, line, arrow] = node.group.children;
    const destination = this.model.blocks.get(node.wire.to[0]), [dx, dy] = STEPS[destination ? sideOf(destination, "inputs") : 2];
    hit.setAttribute("d", path);
    line.setAttribute("d", path);
    arrow.setAttribute("d", `M${b[0]} ${b[1]}l${7 * dx + 3.5 * dy} ${7 * dy - 3.5 * dx}l${-7 * dy} ${7 * dx}z`);
  }

  /** Dots where wires of one output part. */
  private join(): void {
    const nets = new Map<string, Point[][]>();
    for (const { wire, points } of this.paths.values()) {
      const there = nets.get(net(wire));
      if (there) there.push(points);
      else nets.set(net(wire), [points]);
    }
    this.dots.replaceChildren(...[...nets.values()].flatMap(junctions).map(([x, y]) => svg("circle", { cx: x, cy: y, r: 2.4 })));
  }

  /** Show what is selected. */
  mark(): void {
    const { model } = this;
    for (const [name, { made: group }] of this.nodes) if (group) {
      const on = model.selected.has(name);
      if (group.classList.contains("on") === on) continue;
      group.classList.toggle("on", on);
      group.setAttribute("aria-selected", String(on));
    }
    for (const [name, { made: group }] of this.nodes) group?.classList.toggle("failed", model.failed.has(name));
    if (this.far) this.drawFar();
    for (const [key, { group }] of this.paths) group.classList.toggle("on", model.wires.has(key));
    const last = [...model.selected].pop();
    if (last) this.svg.setAttribute("aria-activedescendant", `block-${last}`);
    else this.svg.removeAttribute("aria-activedescendant");
  }

  /** Move the view once before the next picture, and leave out what is not in it. */
  look(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      const { x, y, k } = this.view;
      this.world.setAttribute("transform", `translate(${x} ${y}) scale(${k})`);
      this.svg.classList.toggle("far", k < FAR);
      this.svg.classList.toggle("farther", k < FARTHER);
      let dots = GRID * k;
      while (dots < 12) dots *= 5;
      this.root.style.backgroundSize = `${dots}px ${dots}px`;
      this.root.style.backgroundPosition = `${x - dots / 2}px ${y - dots / 2}px`;
      this.zoomed.textContent = `${Math.round(100 * k)} %`;
      this.cull();
    });
  }

  /** Take what is out of view out of the page, where that is much: SVG lays out hidden text too. */
  private cull(): void {
    const { x, y, k } = this.view, [width, height] = this.size, left = -x / k - 40, top = -y / k - 40, right = left + width / k + 80, low = top + height / k + 80;
    const all = this.model.blocks.size <= MANY;
    const inside = [...this.model.blocks.values()].filter((block) => {
      const box = this.box(block);
      return box.x < right && box.x + box.w > left && box.y < low && box.y + box.h > top;
    });
    const far = inside.length > OVERVIEW;
    if (far !== this.far) {
      this.far = far;
      if (far) this.world.replaceChildren(this.overview, this.over);
      else this.world.replaceChildren(this.wires, this.dots, this.blocks, this.over);
      if (far) this.drawFar();
    }
    if (far) return;
    const seen = new Set(inside.map((block) => block.name));
    for (const block of this.model.blocks.values()) {
      const node = this.nodes.get(block.name), on = all || seen.has(block.name);
      if (!node || on === node.seen) continue;
      node.seen = on;
      if (!on) node.made?.remove();
      else {
        const fresh = node.made === null;
        this.blocks.append((node.made ??= made(block)));
        this.put(block);
        if (fresh) this.markOne(block.name, node.made);
      }
    }
    for (const node of this.paths.values()) {
      const box = bounds(node.points, 8), on = all || (box[0] < right && box[2] > left && box[1] < low && box[3] > top);
      if (on === node.seen) continue;
      node.seen = on;
      if (on) this.wires.append(node.group);
      else node.group.remove();
    }
  }

  private markOne(name: string, group: SVGGElement): void {
    const on = this.model.selected.has(name);
    group.classList.toggle("on", on);
    group.setAttribute("aria-selected", String(on));
    group.classList.toggle("failed", this.model.failed.has(name));
  }

  /** All blocks as boxes of one path, and all wires as another: thousands of parts take too long for a frame. */
  private drawFar(): void {
    const { model } = this, parts: [string, string, string] = ["", "", ""];
    for (const block of model.blocks.values()) {
      const { x, y, w, h } = this.box(block);
      parts[model.selected.has(block.name) ? 2 : block.wrong || model.failed.has(block.name) ? 1 : 0] += `M${x} ${y}h${w}v${h}h${-w}z`;
    }
    const [lines, boxes, wrong, on] = this.overview.children;
    lines.setAttribute("d", [...this.paths.values()].map(({ points }) => `M${points.map((point) => point.join(" ")).join("L")}`).join(""));
    [boxes, wrong, on].forEach((path, k) => path.setAttribute("d", parts[k]));
  }

  // ---- what lies where ----

  /** The port nearest to a point of the sheet, of those that are let. */
  nearest(at: Point, lets: (block: Block, side: "inputs" | "outputs", index: number) => boolean): PortPlace | null {
    let best: PortPlace | null = null, least = REACH / this.view.k;
    for (const block of this.model.blocks.values()) for (const side of ["inputs", "outputs"] as const) {
      block[side].forEach((_, index) => {
        const place = this.port(block, side, index), far = Math.hypot(place[0] - at[0], place[1] - at[1]);
        if (far < least && lets(block, side, index)) [best, least] = [{ block, side, index, at: place }, far];
      });
    }
    return best;
  }

  blockAt([x, y]: Point): Block | null {
    let top: Block | null = null;
    for (const block of this.model.blocks.values()) {
      const box = this.box(block);
      if (x >= box.x && x <= box.x + box.w && y >= box.y && y <= box.y + box.h) top = block;
    }
    return top;
  }

  /** The wires of the output of one that lie at a point, this one among them: a trunk has several. */
  wiresAt([x, y]: Point, key: string): string[] {
    const one = this.paths.get(key), reach = 6 / this.view.k;
    const near = (points: Point[]) => points.some(([x1, y1], k) => {
      if (!k) return false;
      const [x0, y0] = points[k - 1];
      return Math.hypot(Math.max(Math.min(x0, x1) - x, 0, x - Math.max(x0, x1)), Math.max(Math.min(y0, y1) - y, 0, y - Math.max(y0, y1))) < reach;
    });
    return [...this.paths].filter(([each, { wire, points }]) => each === key || (one && net(wire) === net(one.wire) && near(points))).map(([each]) => each);
  }

  /** The wire that passes nearest to a point. */
  wireAt([x, y]: Point): Wire | null {
    let best: Wire | null = null, least = 10 / this.view.k;
    for (const { wire, points } of this.paths.values()) for (let k = 1; k < points.length; k++) {
      const [x0, y0] = points[k - 1], [x1, y1] = points[k];
      const dx = Math.max(Math.min(x0, x1) - x, 0, x - Math.max(x0, x1)), dy = Math.max(Math.min(y0, y1) - y, 0, y - Math.max(y0, y1));
      const far = Math.hypot(dx, dy);
      if (far < least) [best, least] = [wire, far];
    }
    return best;
  }

  /** Let the ports that may be an end be seen, and a wire be lit. */
  light(lets: ((block: Block, side: "inputs" | "outputs", index: number) => boolean) | null): void {
    this.svg.classList.toggle("wiring", lets !== null);
    for (const [name, { made: group }] of this.nodes) for (const circle of group?.querySelectorAll<SVGCircleElement>("circle.port") ?? []) {
      const block = this.model.blocks.get(name), [side, index] = circle.dataset.port!.split(":");
      circle.classList.toggle("lit", lets !== null && block !== undefined && lets(block, side as "inputs", Number(index)));
    }
  }

  lightWire(wire: Wire | null): void {
    for (const node of this.paths.values()) node.group.classList.toggle("lit", node.wire === wire);
  }
}

const net = ({ from }: Wire) => `${from[0]}\n${from[1]}`;

const wideSignal = (port: Port | undefined) => port?.size !== undefined && port.size !== null && !["1", "", "null"].includes(String(port.size));

function portText(port: Port): string {
  return [port.name, port.size === null || port.size === undefined ? "" : `size ${port.size}`, port.unit].filter(Boolean).join(", ");
}

function made(block: Block): SVGGElement {
  const group = svg("g", {
    class: `block${block.wrong ? " wrong" : ""}`, "data-name": block.name, id: `block-${block.name}`, role: "option",
    "aria-selected": "false", "aria-label": `${block.name}, ${block.type}${block.wrong ? ", with an error" : ""}`,
  });
  const title = svg("title");
  title.textContent = `${block.name}: ${block.type}`;
  group.append(title, svg("rect", { class: "halo", x: -5, y: -5, width: block.w + 10, height: block.h + 10, rx: 6 }));
  group.append(svg("rect", { class: "area", width: block.w, height: block.h }), icon(block));
  const upright = (block.turn ?? 0) % 2 === 1; // the name stands clear of the wires
  const name = svg("text", { class: "name", x: upright ? block.w + 5 : block.w / 2, y: upright ? block.h / 2 + 4 : block.h + 12, "text-anchor": upright ? "start" : "middle" });
  name.textContent = block.name;
  group.append(name);
  for (const side of ["inputs", "outputs"] as const) block[side].forEach((port, index) => {
    const place = { cx: port.dx, cy: port.dy, "data-port": `${side}:${index}` }, [dx, dy] = STEPS[sideOf(block, side)];
    const spot = svg("circle", { ...place, cx: port.dx + 3 * dx, cy: port.dy + 3 * dy, r: 3.2, class: `port ${side}${port.wired ? " wired" : port.needed ? " needed" : ""}` });
    const about = svg("title");
    about.textContent = portText(port);
    group.append(spot, svg("circle", { ...place, r: 9, class: "grip" }, about)); // labels of ports stand within
  });
  group.append(svg("rect", { class: "corner", x: block.w + 2, y: block.h + 2, width: 7, height: 7 })); // to draw it larger
  return group;
}

const icons = new Map<string, SVGGElement>();
const parser = new DOMParser();

/** The fragment that the server draws, without anything that could act. */
function icon(block: Block): SVGGElement {
  const key = `${block.wrong}${block.type} ${block.icon}`, known = icons.get(key);
  if (known) return known.cloneNode(true) as SVGGElement;
  const group = svg("g", { class: "icon" });
  if (icons.size > MOST_ICONS) icons.clear();
  icons.set(key, group);
  const parsed = parser.parseFromString(`<svg xmlns="${SVG}">${block.icon}</svg>`, "image/svg+xml");
  if (!block.icon || parsed.querySelector("parsererror")) {
    const text = svg("text", { class: "bd-t-ink", x: block.w / 2, y: block.h / 2 + 3.5, "font-size": 10, "text-anchor": "middle" });
    text.textContent = block.type;
    group.append(svg("rect", { class: "bd-block", width: block.w, height: block.h, rx: 2 }), text);
    return group;
  }
  for (const part of parsed.querySelectorAll("script, foreignObject, a, image, use, animate, set, style")) part.remove();
  if (!block.wrong) for (const part of parsed.querySelectorAll(".bd-fault")) part.setAttribute("class", "bd-block");
  for (const part of parsed.documentElement.querySelectorAll("*")) for (const { name } of [...part.attributes]) {
    if (/^on|href$/i.test(name)) part.removeAttribute(name);
  }
  group.append(...[...parsed.documentElement.childNodes].map((part) => document.importNode(part, true)));
  return group;
}
