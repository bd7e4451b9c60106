// Problems: errors as cards, each with its remedy, and a button where one change of the text mends it.

import { button, element } from "../page/element";
import type { Canvas } from "./canvas";
import { isOpen, type Message, type Model, type Problem } from "./model";

const WAIT = 250; // ms after a change before fixes are asked for
const GAP = 14; // px from a block to its card
const WIDTH = 330; // px of a card on the sheet, at most

interface Offer extends Problem { change: string; text: string }

/** Fixes of the errors of now: each is a whole text, made of the text of one version. */
export class Problems {
  private offers: Offer[] = [];
  private timer = 0;
  private version = -1;
  /** Called when fixes have come. */
  private readonly watchers: (() => void)[] = [];

  constructor(private readonly model: Model) {
    model.watch("state", () => {
      const { state } = model;
      if (!state || state.version === this.version) return;
      this.version = state.version;
      this.offers = [];
      clearTimeout(this.timer);
      if (state.errors.some((error) => error.line !== null)) this.timer = window.setTimeout(() => model.send({ type: "remedies" }), WAIT);
    });
    model.watch("message", (message) => {
      if (message?.type !== "remedies" || message.version !== model.state?.version) return;
      this.offers = message.offers as Offer[];
      for (const tell of this.watchers) tell();
    });
  }

  watch(act: () => void): void {
    this.watchers.push(act);
  }

  /** The change that mends an error, where one is known. */
  fix({ line, kind, message }: Problem): { change: string; apply: () => void } | null {
    const offer = this.offers.find((each) => each.line === line && each.kind === kind && each.message === message);
    return offer ? { change: offer.change, apply: () => this.apply(offer) } : null;
  }

  private apply(offer: Offer): void {
    if (this.model.state?.version !== this.version || !this.model.idle) return;
    this.model.change({ type: "text", text: offer.text } as Message);
    this.model.say(offer.change);
  }

  /** The error, what is expected, and the button; a press elsewhere goes to its place. */
  card(error: Problem, go: () => void, text = error.message): HTMLElement {
    const [first, ...others] = text.split("\n"), fix = this.fix(error);
    const place = error.line === null ? "go to the block" : `go to line ${error.line}`;
    const said = element("button", { type: "button", class: "place", title: place }, element("b", {}, first), ...others.map((line) => element("span", {}, line)));
    said.addEventListener("click", go);
    return element("div", { class: isOpen(error) ? "problem open" : "problem" }, said,
      fix ? mend(fix.change, fix.apply) : null);
  }
}

function mend(change: string, apply: () => void): HTMLElement {
  const made = button(`Fix: ${change}`, `change the text: ${change}`, apply);
  made.className = "mend";
  return made;
}

/** A card at a faulty block while the pointer rests there; a card for an open input would cover blocks that are to be wired. */
export class BlockCard {
  private readonly root = element("div", { class: "card", role: "status", hidden: true });
  private over: string | null = null;
  private timer = 0;

  constructor(private readonly model: Model, private readonly canvas: Canvas, private readonly problems: Problems,
    private readonly go: (error: Problem) => void, private readonly failures: () => Problem[]) {
    canvas.root.append(this.root);
    canvas.svg.addEventListener("pointerover", (event) => this.point((event.target as Element).closest<SVGGElement>("g.block")?.dataset.name ?? null));
    canvas.svg.addEventListener("pointerleave", () => this.point(null));
    canvas.svg.addEventListener("pointerdown", () => this.show(null));
    canvas.svg.addEventListener("wheel", () => this.show(null), { passive: true });
    this.root.addEventListener("pointerenter", () => clearTimeout(this.timer));
    this.root.addEventListener("pointerleave", () => this.point(null));
    for (const topic of ["state", "failed"] as const) model.watch(topic, () => this.show(this.over));
    problems.watch(() => this.show(this.over));
  }

  private point(name: string | null): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.show(name), name ? 150 : 350);
  }

  private show(name: string | null): void {
    const block = name === null ? undefined : this.model.blocks.get(name);
    const errors = block ? [...this.model.state?.errors ?? [], ...this.failures()].filter((error) => !isOpen(error) && concerns(error, this.model.path(block.name))) : []; // open inputs are marked
    this.over = errors.length ? name : null;
    this.root.hidden = !errors.length;
    if (!block || !errors.length) return;
    this.root.replaceChildren(...errors.map((error) => this.problems.card(error, () => this.go(error))));
    const { x, y, w, h } = this.canvas.box(block), [left, top] = this.canvas.onScreen([x + w / 2, y + h + 16]), { clientWidth: width, clientHeight: height } = this.canvas.root;
    this.root.style.left = `${Math.max(8, Math.min(left - WIDTH / 2, width - WIDTH - 8))}px`;
    const below = top + this.root.offsetHeight + GAP < height, above = this.canvas.onScreen([x, y])[1] - this.root.offsetHeight - GAP;
    this.root.style.top = `${Math.max(4, below ? top + 2 : above)}px`;
  }
}

/** Whether an error is of a block: at it, in it, or on a loop through it. */
export function concerns({ path, blocks }: Problem, name: string): boolean {
  const within = (at: string) => at === name || at.startsWith(`${name}.`) || at.startsWith(`${name}/`);
  return (path !== null && within(path)) || (blocks ?? []).some(within);
}
