// Controls: a slider a number that may be changed while the run goes on, and buttons and pads that push.

import { element, number, unitText } from "../page/element";
import type { Asked, Control } from "./messages";
import { Pad, pairs } from "./pad";
import { OncePerPicture } from "./pictures";

const MOST_OPEN = 12;

export class Controls {
  readonly root = element("section", { class: "knobs", "aria-label": "what can be changed" });
  private readonly rows = new Map<string, { slider: HTMLInputElement; value: HTMLInputElement }>();
  private readonly pads: Pad[];
  private readonly touches: OncePerPicture<Record<string, number>>;

  constructor(controls: Control[], private readonly send: (message: Asked) => void) {
    this.touches = new OncePerPicture(
      (changes) => send({ type: "touch", changes }),
      (earlier, later) => ({ ...earlier, ...later }),
    );
    this.pads = [...pairs(controls)].map(([path, both]) => new Pad(path, both, send));
    this.root.append(...this.pads.map((pad) => pad.root));
    const groups = new Map<string, Control[]>();
    for (const control of controls) groups.set(control.group, [...(groups.get(control.group) ?? []), control]);
    for (const [group, members] of groups) {
      const rows = members.map((control) => this.row(control));
      const open = controls.length <= MOST_OPEN; // else a block's numbers come when they are asked for
      this.root.append(...(group ? [element("details", { open }, element("summary", {}, group), ...rows)] : rows));
    }
    this.root.hidden = controls.length === 0;
  }

  /** Show what holds at the instant that is seen; what is being moved or written stays, unless `all` are told. */
  tell(values: Record<string, number | string>, all = false): void {
    for (const pad of this.pads) pad.tell(values);
    for (const [path, { slider, value }] of this.rows) {
      if (!(path in values)) continue;
      const now = values[path], text = typeof now === "string" ? "" : number(now);
      value.placeholder = typeof now === "string" ? now : "";
      if (typeof now === "number" && Number(slider.value) !== now && !slider.matches(":active")) put(slider, now);
      if (value.value !== text && (all || document.activeElement !== value)) value.value = text;
    }
  }

  private row(control: Control): HTMLElement {
    const { path, label, low, high, unit } = control;
    const slider = element("input", { type: "range", step: "any", min: String(low), max: String(high), "aria-label": label });
    const value = element("input", { type: "number", step: "any", "aria-label": `${label}, number` });
    put(slider, control.value);
    value.value = number(control.value);
    this.rows.set(path, { slider, value });
    slider.addEventListener("input", () => {
      value.value = number(Number(slider.value));
      this.touches.want({ [path]: Number(slider.value) });
    });
    value.addEventListener("change", () => {
      if (value.value.trim() === "" || !Number.isFinite(value.valueAsNumber)) return;
      put(slider, value.valueAsNumber);
      this.touches.want({ [path]: value.valueAsNumber });
    });
    const limits = element("span", { class: "limits" }, `${number(low)} to ${number(high)}`);
    const name = element("span", { class: "name", title: path }, label, " ", element("span", { class: "unit" }, unitText(unit)));
    return element("div", { class: "knob" }, name, limits, slider, value, control.kind === "input" ? this.push(control) : null);
  }

  /** A button that holds another value as long as it is pressed. */
  private push({ path, label, high }: Control): HTMLElement {
    const amount = element("input", { type: "number", step: "any", value: number(high), "aria-label": `push ${label} to` });
    const hold = element("button", { type: "button", title: "hold it there as long as this is pressed" }, "Push");
    let pushed = false;
    const down = () => {
      if (pushed || !Number.isFinite(amount.valueAsNumber)) return;
      pushed = true;
      this.send({ type: "push", path, value: amount.valueAsNumber });
    };
    const up = () => {
      if (pushed) this.send({ type: "release", path });
      pushed = false;
    };
    hold.addEventListener("pointerdown", (event) => {
      hold.setPointerCapture(event.pointerId);
      down();
    });
    for (const name of ["pointerup", "pointercancel", "blur"]) hold.addEventListener(name, up);
    hold.addEventListener("keydown", (event) => {
      if (event.key === " " || event.key === "Enter") down();
    });
    hold.addEventListener("keyup", up);
    return element("span", { class: "push" }, hold, " to ", amount);
  }
}

/** Beyond its limits a slider goes as far as the value is. */
function put(slider: HTMLInputElement, value: number): void {
  slider.min = String(Math.min(Number(slider.min), value));
  slider.max = String(Math.max(Number(slider.max), value));
  slider.value = String(value);
}
