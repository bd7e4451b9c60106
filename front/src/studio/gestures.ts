// Gestures: what the pointer does on the canvas: move the sheet, blocks, wires, and a frame that selects.

import { element } from "../page/element";
import { type Canvas, type PortPlace, svg } from "./canvas";
import { type Block, type Edit, end, type Model, type Wire, wireKey } from "./model";
import { drawn, type Point } from "./route";

const SNAP = 5; // px of the grid on which blocks are put
const STRAIGHT = 6; // px by which a block is moved so that a wire has no bend
export const LEAST = 10; // px of a block
const STILL = 3; // px on the screen below which a press is a click

interface Gesture {
  move(event: PointerEvent): void;
  up(event: PointerEvent): void;
  cancel(): void;
}

export class Gestures {
  private gesture: Gesture | null = null;
  private space = false;
  /** What takes a wire that is dragged out of the canvas, such as the scopes; true where it is taken. */
  carried: (wire: Wire, over: Element | null) => boolean = () => false;

  constructor(
    private readonly model: Model,
    private readonly canvas: Canvas,
    private readonly insert: (at: Point, screen: Point, from: PortPlace | null) => void,
    private readonly menu: (screen: Point) => void,
  ) {
    const { svg: sheet } = canvas;
    sheet.addEventListener("pointerdown", (event) => this.press(event));
    sheet.addEventListener("pointermove", (event) => this.gesture?.move(event));
    sheet.addEventListener("pointerup", (event) => this.end(event, (gesture) => gesture.up(event)));
    sheet.addEventListener("pointercancel", (event) => this.end(event, (gesture) => gesture.cancel()));
    sheet.addEventListener("dblclick", (event) => this.twice(event));
    sheet.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      const block = canvas.blockAt(canvas.at(event)), wire = block ? null : canvas.wireAt(canvas.at(event));
      if (wire) model.select([], [wireKey(wire)]);
      else if (!block || !model.selected.has(block.name)) model.select(block ? [block.name] : []);
      this.menu([event.clientX, event.clientY]);
    });
    sheet.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.shiftKey) canvas.pan(-(event.deltaX || event.deltaY), 0);
      else canvas.zoom(Math.exp(-(event.ctrlKey ? 0.01 : 0.0016) * event.deltaY * (event.deltaMode ? 30 : 1)), event);
    }, { passive: false });
    sheet.addEventListener("keydown", (event) => {
      if (event.key === " ") {
        this.space = true;
        event.preventDefault();
      } else if (event.key === "Escape" && this.gesture) {
        this.gesture.cancel();
        this.gesture = null;
        event.stopPropagation();
      }
    });
    addEventListener("keyup", (event) => event.key === " " && (this.space = false));
  }

  private press(event: PointerEvent): void {
    if (this.gesture) return;
    this.canvas.svg.focus({ preventScroll: true });
    const target = event.target as Element, group = target.closest<SVGGElement>("g.block");
    const block = group ? this.model.blocks.get(group.dataset.name!) : target.closest(".overview") ? this.canvas.blockAt(this.canvas.at(event)) : null, port = target.closest<SVGElement>("[data-port]");
    const wire = target.closest<SVGGElement>("g.wire");
    event.preventDefault();
    this.canvas.svg.setPointerCapture(event.pointerId);
    if (event.button === 1 || this.space) this.gesture = this.panning(event);
    else if (event.button !== 0) return;
    else if (block && target.classList.contains("corner")) this.gesture = this.sizing(event, block);
    else if (block && port) this.gesture = this.wiring(block, port.dataset.port!);
    else if (block) this.gesture = this.moving(event, block);
    else if (wire) this.gesture = this.carrying(event, wire.dataset.wire!);
    else this.gesture = event.shiftKey ? this.framing(event) : this.panning(event);
  }

  private end(event: PointerEvent, act: (gesture: Gesture) => void): void {
    const { gesture } = this;
    this.gesture = null;
    if (this.canvas.svg.hasPointerCapture(event.pointerId)) this.canvas.svg.releasePointerCapture(event.pointerId);
    if (gesture) act(gesture);
  }

  /** A click on several wires of one output chooses all; clicks after that choose one after the other. */
  private chooseWire(key: string, more: boolean, at: Point): void {
    const here = this.canvas.wiresAt(at, key), chosen = [...this.model.wires], single = chosen.length === 1 ? here.indexOf(chosen[0]) : -1;
    if (!more && here.length > 1) {
      const all = chosen.length === here.length && here.every((each) => this.model.wires.has(each));
      const next = all ? here.slice(0, 1) : single >= 0 && single < here.length - 1 ? [here[single + 1]] : here;
      return this.model.select([], next);
    }
    this.model.select(more ? this.model.selected : [], more ? [...this.model.wires, key] : [key]);
  }

  private twice(event: MouseEvent): void {
    const { model } = this;
    const block = this.canvas.blockAt(this.canvas.at(event)); // a captured pointer's target is the sheet
    const named = document.elementFromPoint(event.clientX, event.clientY)?.closest<SVGGElement>("g.block")?.dataset.name ?? block?.name;
    const label = document.elementFromPoint(event.clientX, event.clientY)?.closest("text.name");
    if (named && model.blocks.get(named)?.holds && !label) model.enter(model.path(named));
    else if (named) this.rename(named);
    else if (!this.canvas.wireAt(this.canvas.at(event))) {
      const { left, top } = this.canvas.svg.getBoundingClientRect();
      this.insert(this.canvas.at(event), [event.clientX - left, event.clientY - top], null);
    }
  }

  // ---- gestures ----

  private panning(start: PointerEvent): Gesture {
    const { canvas, model } = this;
    let [x, y] = [start.clientX, start.clientY], far = 0;
    canvas.svg.classList.add("panning");
    return {
      move: (event) => {
        far += Math.abs(event.clientX - x) + Math.abs(event.clientY - y);
        canvas.pan(event.clientX - x, event.clientY - y);
        [x, y] = [event.clientX, event.clientY];
      },
      up: () => {
        canvas.svg.classList.remove("panning");
        if (far < STILL && start.button === 0 && !this.space) model.select([]);
      },
      cancel: () => canvas.svg.classList.remove("panning"),
    };
  }

  /** A wire that is pressed is selected; one that is dragged away is carried as its signal. */
  private carrying(start: PointerEvent, key: string): Gesture {
    this.chooseWire(key, start.shiftKey, this.canvas.at(start));
    const wire = this.model.scene.wires.find((each) => wireKey(each) === key);
    const ghost = element("div", { class: "ghost" }, wire ? wire.source : key);
    const done = () => ghost.remove();
    return {
      move: (event) => {
        if (!ghost.parentElement && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 4 * STILL) this.canvas.root.append(ghost);
        ghost.style.left = `${event.clientX}px`;
        ghost.style.top = `${event.clientY}px`;
      },
      up: (event) => {
        const moved = ghost.parentElement !== null;
        done();
        if (wire && moved) this.carried(wire, document.elementFromPoint(event.clientX, event.clientY));
      },
      cancel: done,
    };
  }

  /** A frame that selects what it touches. */
  private framing(start: PointerEvent): Gesture {
    const { canvas, model } = this, [x, y] = canvas.at(start), frame = svg("rect", { class: "frame" }), before = [...model.selected];
    canvas.over.append(frame);
    return {
      move: (event) => {
        const [x1, y1] = canvas.at(event), left = Math.min(x, x1), top = Math.min(y, y1), right = Math.max(x, x1), low = Math.max(y, y1);
        for (const [name, value] of Object.entries({ x: left, y: top, width: right - left, height: low - top })) {
          frame.setAttribute(name, String(value));
        }
        const inside = [...model.blocks.values()].filter((block) => {
          const box = canvas.box(block);
          return box.x < right && box.x + box.w > left && box.y < low && box.y + box.h > top;
        });
        model.select([...before, ...inside.map((block) => block.name)]);
      },
      up: () => frame.remove(),
      cancel: () => frame.remove(),
    };
  }

  /** A block is drawn as large as a frame from its corner to the pointer. */
  private sizing(start: PointerEvent, block: Block): Gesture {
    const { canvas, model } = this, { x, y, w, h } = canvas.box(block), frame = svg("rect", { class: "frame", x, y, width: w, height: h });
    let size: Point = [w, h];
    canvas.over.append(frame);
    return {
      move: (event) => {
        const by = [event.clientX - start.clientX, event.clientY - start.clientY];
        size = [w, h].map((value, k) => Math.max(LEAST, SNAP * Math.round((value + by[k] / canvas.view.k) / SNAP))) as Point;
        frame.setAttribute("width", String(size[0]));
        frame.setAttribute("height", String(size[1]));
      },
      up: () => {
        frame.remove();
        if (size[0] !== w || size[1] !== h) model.edit(["resize", block.name, x, y, size]);
      },
      cancel: () => frame.remove(),
    };
  }

  private moving(start: PointerEvent, block: Block): Gesture {
    const { canvas, model } = this, more = start.shiftKey || start.ctrlKey || start.metaKey, was = model.selected.has(block.name);
    if (more) model.toggle(block.name);
    else if (!was) model.select([block.name]);
    const names = new Set(model.selected), places = new Map([...names].map((name) => [name, model.place(model.blocks.get(name)!)]));
    const loose = names.size === 1 && [block.inputs, block.outputs].every((ports) => ports.length > 0 && !ports.some((port) => port.wired));
    let moves = false, wire: Wire | null = null; // the wire into which a block without wires is put
    return {
      move: (event) => {
        const dx = (event.clientX - start.clientX) / canvas.view.k, dy = (event.clientY - start.clientY) / canvas.view.k;
        moves ||= Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > STILL;
        if (!moves || !names.has(block.name)) return;
        const [sx, sy] = event.altKey ? [dx, dy] : this.snapped(block, names, places.get(block.name)!, dx, dy);
        for (const [name, [x, y]] of places) model.moved.set(name, [x + sx, y + sy]);
        canvas.drag(names);
        if (!loose) return;
        const { x, y, w, h } = canvas.box(block);
        canvas.lightWire((wire = canvas.wireAt([x + w / 2, y + h / 2])));
      },
      up: () => {
        canvas.dropped();
        canvas.lightWire(null);
        if (wire) model.edit(...placed(model, names), ...putOn(wire, block));
        else if (moves) place(model, names);
        else if (!more && was) model.select([block.name]);
      },
      cancel: () => {
        for (const name of names) model.moved.delete(name);
        canvas.lightWire(null);
        canvas.draw();
        canvas.dropped();
      },
    };
  }

  /** Where a block comes to stand: on the grid, and so that a wire of it is straight where that is near. */
  private snapped(block: Block, names: ReadonlySet<string>, [x, y]: Point, dx: number, dy: number): Point {
    const round = (value: number) => SNAP * Math.round(value / SNAP);
    let sy = round(y + dy) - y;
    for (const wire of this.model.scene.wires) {
      const out = wire.from[0] === block.name, other = this.model.blocks.get(out ? wire.to[0] : wire.from[0]);
      if (!other || names.has(other.name) || (!out && wire.to[0] !== block.name)) continue;
      const [mine, theirs] = out
        ? [block.outputs[wire.from[1]], this.canvas.port(other, "inputs", wire.to[1])]
        : [block.inputs[wire.to[1]], this.canvas.port(other, "outputs", wire.from[1])];
      const by = theirs[1] - ((mine?.dy ?? block.h / 2) + y);
      if (Math.abs(by - dy) < STRAIGHT) sy = by;
    }
    return [round(x + dx) - x, sy];
  }

  /** A wire from a port to another; one that ends here already is taken off. */
  private wiring(block: Block, port: string): Gesture {
    const { canvas, model } = this, [side, at] = port.split(":") as ["inputs" | "outputs", string], index = Number(at);
    const led = side === "inputs" ? model.scene.wires.find((wire) => wire.to[0] === block.name && wire.to[1] === index) : undefined;
    const from: PortPlace = led
      ? { block: model.blocks.get(led.from[0])!, side: "outputs", index: led.from[1], at: [0, 0] }
      : { block, side, index, at: [0, 0] };
    from.at = canvas.port(from.block, from.side, from.index);
    const lets = (other: Block, otherSide: "inputs" | "outputs", k: number) => otherSide !== from.side
      && (otherSide === "outputs" || !other.inputs[k].wired || (other.name === block.name && k === index && led !== undefined));
    const line = svg("path", { class: "draft" });
    canvas.over.append(line);
    canvas.light(lets);
    let moves = false, last: PortPlace | null = null;
    const target = (event: PointerEvent) => canvas.nearest(canvas.at(event), lets) ?? this.onto(canvas.blockAt(canvas.at(event)), from, lets);
    const done = () => {
      line.remove();
      canvas.light(null);
    };
    return {
      move: (event) => {
        moves = true;
        last = target(event);
        const tip = last?.at ?? canvas.at(event), [a, b] = from.side === "outputs" ? [from.at, tip] : [tip, from.at];
        const middle = (a[0] + b[0]) / 2;
        line.setAttribute("d", drawn(Math.abs(a[1] - b[1]) < 0.5 ? [a, b] : [a, [middle, a[1]], [middle, b[1]], b]));
        line.classList.toggle("ready", last !== null);
      },
      up: (event) => {
        done();
        if (!moves) return model.select([block.name]);
        const found = target(event);
        if (!found) {
          if (led) model.edit(["disconnect", led.source, led.destination]);
          else if (!canvas.blockAt(canvas.at(event))) {
            const { left, top } = canvas.svg.getBoundingClientRect();
            this.insert(canvas.at(event), [event.clientX - left, event.clientY - top], from);
          }
          return;
        }
        connect(model, from, found, led);
      },
      cancel: done,
    };
  }

  /** The first free port of a block on which a wire is let go. */
  private onto(block: Block | null, from: PortPlace, lets: (block: Block, side: "inputs" | "outputs", k: number) => boolean): PortPlace | null {
    if (!block) return null;
    const side = from.side === "outputs" ? "inputs" : "outputs", index = block[side].findIndex((_, k) => lets(block, side, k));
    return index < 0 ? null : { block, side, index, at: this.canvas.port(block, side, index) };
  }

  // ---- names in place ----

  rename(name: string): void {
    const { canvas, model } = this, block = model.blocks.get(name);
    if (!block) return;
    canvas.reveal(name);
    const { x, y, w, h } = canvas.box(block), [left, top] = canvas.onScreen([x + w / 2, y + h]);
    const field = element("input", { class: "renaming", "aria-label": `new name of ${name}`, spellcheck: "false" });
    field.value = name;
    field.style.left = `${left}px`;
    field.style.top = `${top + 1}px`;
    let open = true;
    const close = (take: boolean) => {
      if (!open) return;
      open = false;
      field.remove();
      canvas.svg.focus({ preventScroll: true });
      const to = field.value.trim();
      if (!take || !to || to === name) return;
      renameBlock(model, name, to);
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "Escape") close(event.key === "Enter");
      event.stopPropagation();
    });
    field.addEventListener("blur", () => close(true));
    canvas.root.append(field);
    field.focus();
    field.select();
  }
}

export function renameBlock(model: Model, name: string, to: string): void {
  model.edit(["rename_block", name, to]);
  model.then(() => model.select([to]));
}

/** The edits that write where blocks are now. */
function placed(model: Model, names: Iterable<string>): Edit[] {
  return [...names].flatMap((name): Edit[] => {
    const block = model.blocks.get(name)!, [x, y] = model.place(block).map((value) => Math.round(10 * value) / 10);
    return x !== block.x || y !== block.y ? [["place", name, x, y]] : [];
  });
}

/** The edits that lead a wire through a block. */
function putOn({ source, destination }: Wire, block: Block): Edit[] {
  const into = Math.max(0, block.inputs.findIndex((port) => port.needed));
  return [["disconnect", source, destination], ["connect", source, end(block, "inputs", into)], ["connect", end(block, "outputs", 0), destination]];
}

export function place(model: Model, names: Iterable<string>): void {
  const edits = placed(model, names);
  if (edits.length) model.edit(...edits);
  else model.moved.clear();
}

/** A wire between two ports, in place of one that led elsewhere. */
export function connect(model: Model, one: PortPlace, other: PortPlace, led?: Wire): void {
  const [out, into] = one.side === "outputs" ? [one, other] : [other, one];
  const source = end(out.block, "outputs", out.index), destination = end(into.block, "inputs", into.index);
  if (!led) return model.edit(["connect", source, destination]);
  if (led.to[0] !== into.block.name || led.to[1] !== into.index) model.edit(["reconnect", led.source, led.destination, destination]);
}
