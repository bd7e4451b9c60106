// Pad: two elements of an input, such as a force in x and y, at once: by pointer or arrow keys, and back when let go.

import { element, number, unitText } from "../page/element";
import type { Asked, Control } from "./messages";
import { OncePerPicture } from "./pictures";

const HALF = 64, REACH = 54; // px from the middle to the edge, and to full deflection
const STEP = 0.1; // of full deflection, for an arrow key where the pad stays
const FINE = 0.25; // of full deflection, with Shift
const ARROWS = new Map([["ArrowLeft", [-1, 0]], ["ArrowRight", [1, 0]], ["ArrowUp", [0, 1]], ["ArrowDown", [0, -1]]]);

type Pair = [across: number, up: number];

/** The vectors of two or three elements among inputs: the first two elements have a pad. */
export function pairs(controls: Control[]): Map<string, [Control, Control]> {
  const found = new Map<string, [Control, Control]>(), vectors = new Map<string, Control[]>();
  for (const control of controls) if (control.kind === "input" && /\[\d\]$/.test(control.path)) {
    const path = control.path.slice(0, -3);
    vectors.set(path, [...(vectors.get(path) ?? []), control]);
  }
  for (const [path, [first, second, ...more]] of vectors) if (second && more.length < 2) found.set(path, [first, second]);
  return found;
}

export class Pad {
  readonly root: HTMLElement;
  private readonly field: SVGSVGElement;
  private readonly thumb: SVGElement;
  private readonly stem: SVGElement;
  private readonly amount: HTMLInputElement;
  private readonly springs = element("input", { type: "checkbox", checked: true });
  private readonly held = new Set<string>(); // arrow keys
  private readonly wishes: OncePerPicture<Pair>;
  private values: Pair;
  private before: Pair; // when the push began
  private active = false;

  constructor(private readonly path: string, private readonly both: [Control, Control], private readonly send: (message: Asked) => void) {
    const [across, up] = both;
    this.values = this.before = [across.value, up.value];
    this.wishes = new OncePerPicture((values) => this.put(values), (_earlier, later) => later);
    this.amount = element("input", { type: "number", step: "any", min: "0", value: number(Math.max(across.high - across.value, up.high - up.value)), "aria-label": `largest push of ${path}` });
    this.field = draw("svg", { class: "pad", viewBox: `${-HALF} ${-HALF} ${2 * HALF} ${2 * HALF}`, tabindex: "0", role: "application", "aria-roledescription": "pad" });
    this.stem = draw("line", { class: "stem", x1: "0", y1: "0" });
    this.thumb = draw("circle", { class: "thumb", r: "9" });
    this.field.append(draw("rect", { x: -HALF + 1, y: -HALF + 1, width: 2 * HALF - 2, height: 2 * HALF - 2, rx: 6 }),
      draw("path", { class: "axes", d: `M${-REACH} 0H${REACH}M0 ${-REACH}V${REACH}` }), this.stem, this.thumb);
    this.root = element("div", { class: "padded" }, this.field, element("div", {},
      element("p", {}, element("b", {}, path), " ", element("span", { class: "unit" }, unitText(across.unit))),
      element("p", { class: "quiet" }, `across: ${across.label}; up: ${up.label}`),
      element("label", {}, "up to ", this.amount), element("label", {}, this.springs, " springs back")));
    this.pointer();
    this.keys();
    this.show();
  }

  /** Values that hold at the instant shown; while somebody pushes the pad follows the hand. */
  tell(values: Record<string, number | string>): void {
    if (this.active) return;
    this.values = this.both.map(({ path }, k) => (typeof values[path] === "number" ? values[path] : this.values[k])) as Pair;
    this.show();
  }

  private get most(): number {
    const most = Math.abs(this.amount.valueAsNumber);
    return Number.isFinite(most) && most > 0 ? most : 1;
  }

  /** Push to a deflection of -1 to 1 along both. */
  private push(...deflection: Pair): void {
    if (!this.active) this.before = this.values;
    this.active = true;
    this.values = deflection.map((part, k) => this.both[k].value + this.most * Math.max(-1, Math.min(1, part))) as Pair;
    this.show();
    this.wishes.want(this.values);
  }

  private put(values: Pair): void {
    const [across, up] = this.both;
    if (!this.springs.checked) return this.send({ type: "touch", changes: { [across.path]: values[0], [up.path]: values[1] } });
    if (!this.active) return; // let go before this picture
    for (const k of [0, 1]) this.send({ type: "push", path: this.both[k].path, value: values[k] });
  }

  private release(): void {
    if (!this.active) return;
    this.active = false;
    if (!this.springs.checked) return;
    this.values = this.before;
    this.show();
    for (const { path } of this.both) this.send({ type: "release", path });
  }

  private deflection(): Pair {
    return this.values.map((value, k) => (value - this.both[k].value) / this.most) as Pair;
  }

  private show(): void {
    const [across, up] = this.deflection().map((part) => REACH * Math.max(-1, Math.min(1, part)));
    for (const [mark, x, y] of [[this.thumb, "cx", "cy"], [this.stem, "x2", "y2"]] as const) {
      mark.setAttribute(x, across.toFixed(1));
      mark.setAttribute(y, (-up).toFixed(1));
    }
    this.field.setAttribute("aria-label", `${this.path}: ${this.values.map(number).join(", ")}; arrow keys push`);
  }

  private pointer(): void {
    const { field } = this;
    const follow = (event: PointerEvent) => {
      const { left, top, width, height } = field.getBoundingClientRect();
      const scale = (2 * HALF) / REACH;
      this.push(scale * ((event.clientX - left) / width - 0.5), scale * (0.5 - (event.clientY - top) / height));
    };
    field.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      field.focus({ preventScroll: true });
      field.setPointerCapture(event.pointerId);
      follow(event);
    });
    field.addEventListener("pointermove", (event) => field.hasPointerCapture(event.pointerId) && follow(event));
    for (const name of ["pointerup", "pointercancel"] as const) field.addEventListener(name, () => this.release());
  }

  private keys(): void {
    const { field, held } = this;
    const moved = (fine: boolean) => {
      const sum = [...held].map((key) => ARROWS.get(key)!).reduce(([x, y], [dx, dy]) => [x + dx, y + dy], [0, 0]);
      if (this.springs.checked) return held.size ? this.push(...sum.map((part) => part * (fine ? FINE : 1)) as Pair) : this.release();
      const now = this.deflection();
      if (held.size) this.push(...now.map((part, k) => part + sum[k] * STEP * (fine ? FINE : 1)) as Pair);
      else this.release();
    };
    field.addEventListener("keydown", (event) => {
      if (!ARROWS.has(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (this.springs.checked && event.repeat) return;
      held.add(event.key);
      moved(event.shiftKey);
    });
    field.addEventListener("keyup", (event) => held.delete(event.key) && moved(event.shiftKey));
    field.addEventListener("blur", () => {
      held.clear();
      this.release();
    });
  }
}

function draw<T extends keyof SVGElementTagNameMap>(tag: T, attributes: Record<string, string | number>): SVGElementTagNameMap[T] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
