// Palette: all types of blocks by family, searched by words; one is dragged onto the sheet or onto a wire.

import { element } from "../page/element";
import type { Canvas } from "./canvas";
import { ResponseCard } from "./documents";
import type { Family, Kind, Message, Model } from "./model";
import type { Point } from "./route";

const REST = 350; // ms that the pointer rests on a type before its response is drawn
const WAIT = 120; // ms after a key before it is searched

export class Palette {
  private readonly field = element("input", {
    type: "search", placeholder: "search blocks", "aria-label": "search blocks", spellcheck: "false",
  });
  private readonly list = element("div", { class: "families" }, element("p", { class: "quiet" }, "loading \u2026"));
  readonly root = element("aside", { class: "palette", "aria-label": "palette of blocks" }, this.field, this.list);
  private readonly card: ResponseCard;
  private families: Family[] = [];
  private timer = 0;
  private readonly opened = new Set<string>(); // families

  constructor(private readonly model: Model, private readonly canvas: Canvas, private readonly insert: (words: string, at: Point, wire: [string, string] | null) => void) {
    this.card = new ResponseCard(model, REST);
    this.root.append(this.card.root);
    this.list.addEventListener("scroll", () => this.card.point(null));
    this.field.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.search(), WAIT);
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") this.list.querySelector<HTMLElement>("button.kind")?.focus();
      else if (event.key === "Enter") this.list.querySelector<HTMLElement>("button.kind")?.click();
      else if (event.key === "Escape" && this.field.value) {
        this.field.value = "";
        this.fill();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
    this.list.addEventListener("keydown", (event) => this.step(event));
  }

  focus(): void {
    this.field.focus();
    this.field.select();
  }

  async open(): Promise<void> {
    const answer = await this.model.ask<Message & { families: Family[] }>({ type: "palette" }, "palette");
    this.families = answer.families;
    this.fill();
  }

  private fill(): void {
    const { opened } = this;
    this.card.point(null); // the type that it shows goes
    this.list.replaceChildren(...this.families.map(({ name, types }) => {
      const part = element("details", { "data-name": name, open: opened.has(name) }, element("summary", {}, name, element("i", {}, String(types.length))));
      const fill = () => {
        if (part.open && part.children.length === 1) part.append(...types.map((kind) => this.kind(kind)));
      };
      part.addEventListener("toggle", () => {
        if (part.open) opened.add(name);
        else if (part.isConnected) opened.delete(name);
        fill();
      });
      fill();
      return part;
    }));
  }

  private async search(): Promise<void> {
    const words = this.field.value.trim();
    if (!words) return this.fill();
    const { hits } = await this.model.ask<Message & { hits: Kind[] }>({ type: "search", words }, "hits");
    if (words !== this.field.value.trim()) return;
    this.card.point(null);
    this.list.replaceChildren(...(hits.length ? hits.map((kind) => this.kind(kind)) : [element("p", { class: "quiet" }, "No block has these words.")]));
  }

  private kind({ type, title }: Kind): HTMLElement {
    const made = element("button", { type: "button", class: "kind", "aria-describedby": "response-card" }, element("b", {}, type), element("span", {}, title));
    let press: PointerEvent | null = null, ghost: HTMLElement | null = null, dragged = false;
    for (const name of ["pointerenter", "focus"]) made.addEventListener(name, () => this.card.point(type, title, made));
    for (const name of ["pointerleave", "blur", "pointerdown"]) made.addEventListener(name, () => this.card.point(null));
    made.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      press = event;
      dragged = false;
      made.setPointerCapture(event.pointerId);
    });
    made.addEventListener("pointermove", (event) => {
      if (!press || (!ghost && Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) < 4)) return;
      if (!ghost) {
        ghost = element("div", { class: "ghost" }, type);
        this.root.append(ghost);
        dragged = true;
      }
      ghost.style.left = `${event.clientX}px`;
      ghost.style.top = `${event.clientY}px`;
      this.canvas.lightWire(this.over(event) ? this.canvas.wireAt(this.canvas.at(event)) : null);
    });
    const drop = (event: PointerEvent) => {
      press = null;
      if (!ghost) return;
      ghost.remove();
      ghost = null;
      this.canvas.lightWire(null);
      if (event.type !== "pointerup" || !this.over(event)) return;
      const at = this.canvas.at(event), wire = this.canvas.wireAt(at);
      this.insert(type, at, wire && [wire.source, wire.destination]);
    };
    made.addEventListener("pointerup", drop);
    made.addEventListener("pointercancel", drop);
    made.addEventListener("click", () => {
      if (!dragged) this.insert(type, this.canvas.centre, null);
      dragged = false;
    });
    return made;
  }

  private over(event: PointerEvent): boolean {
    const { left, right, top, bottom } = this.canvas.root.getBoundingClientRect();
    return event.clientX > left && event.clientX < right && event.clientY > top && event.clientY < bottom;
  }

  private step(event: KeyboardEvent): void {
    const way = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!way) return;
    const stops = [...this.list.querySelectorAll<HTMLElement>("summary, details[open] button.kind, .families > button.kind")];
    const next = stops[stops.indexOf(document.activeElement as HTMLElement) + way];
    (next ?? this.field).focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
