// Chooser: a field over the canvas with a list below it, for commands, blocks and ports alike.

import { element } from "../page/element";

export interface Choice { label: string; detail?: string; key?: string; act: () => void }
export interface Question {
  label: string;
  hint: string;
  choices: (words: string) => Choice[];
  /** What comes below them later. */
  more?: (words: string) => Promise<Choice[]>;
  /** What Enter does with the words themselves. */
  words?: (words: string) => void;
  /** Where it opens, px in its root; without it in the middle above. */
  at?: [number, number];
}

const MOST = 200; // choices in a list

export class Chooser {
  private readonly field = element("input", {
    type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "choices", "aria-autocomplete": "list",
    spellcheck: "false", autocomplete: "off",
  });
  private readonly list = element("ul", { id: "choices", role: "listbox", "aria-label": "choices" });
  private readonly root = element("div", { class: "chooser", role: "dialog", hidden: true }, this.field, this.list);
  private question: Question | null = null;
  private choices: Choice[] = [];
  private at = -1;
  private round = 0;
  private back: HTMLElement | SVGElement | null = null;

  constructor(private readonly around: HTMLElement) {
    around.append(this.root);
    this.field.addEventListener("input", () => void this.fill());
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.root.addEventListener("focusout", (event) => {
      if (!this.root.contains(event.relatedTarget as Node | null)) this.close(false);
    });
    this.list.addEventListener("pointerdown", (event) => event.preventDefault()); // the field keeps the focus
    this.list.addEventListener("click", (event) => {
      const row = (event.target as Element).closest("li");
      if (row) this.take(Number(row.dataset.at));
    });
  }

  get open(): boolean {
    return !this.root.hidden;
  }

  ask(question: Question): void {
    if (!this.open) this.back = document.activeElement as HTMLElement;
    this.question = question;
    this.field.value = "";
    this.field.placeholder = question.hint;
    this.field.setAttribute("aria-label", question.label);
    this.root.setAttribute("aria-label", question.label);
    this.root.hidden = false;
    this.root.classList.toggle("there", question.at !== undefined);
    const { clientWidth: width, clientHeight: height } = this.around;
    this.root.style.left = question.at ? `${Math.max(8, Math.min(question.at[0], width - 330))}px` : "";
    this.root.style.top = question.at ? `${Math.max(8, Math.min(question.at[1], height - 280))}px` : "";
    this.choices = [];
    this.list.replaceChildren();
    this.field.focus();
    void this.fill();
  }

  close(back = true): void {
    if (!this.open) return;
    this.root.hidden = true;
    this.question = null;
    if (back) this.back?.focus({ preventScroll: true });
  }

  /** List what is at hand at once: Enter may follow the last letter. */
  private async fill(): Promise<void> {
    const { question } = this, round = ++this.round, words = this.field.value.trim();
    if (!question) return;
    this.list.replaceChildren();
    this.choices = [];
    this.add(question.choices(words));
    this.point(question.words ? -1 : 0);
    const more = (await question.more?.(words)) ?? [];
    if (round !== this.round || this.question !== question) return;
    this.add(more);
    this.point(this.at);
  }

  private add(choices: Choice[]): void {
    const fresh = choices.slice(0, MOST - this.choices.length);
    this.list.append(...fresh.map(({ label, detail, key }, k) => element("li", {
      id: `choice-${this.choices.length + k}`, role: "option", "data-at": String(this.choices.length + k), "aria-selected": "false",
    }, element("b", {}, label), detail ? element("span", {}, detail) : null, key ? element("kbd", {}, key) : null)));
    this.choices.push(...fresh);
    this.list.hidden = this.choices.length === 0;
  }

  private point(at: number): void {
    const least = this.question?.words ? -1 : 0;
    this.at = at < least ? this.choices.length - 1 : at >= this.choices.length ? least : at; // around at both ends
    [...this.list.children].forEach((row, k) => row.setAttribute("aria-selected", String(k === this.at)));
    this.list.children[this.at]?.scrollIntoView({ block: "nearest" });
    if (this.at >= 0) this.field.setAttribute("aria-activedescendant", `choice-${this.at}`);
    else this.field.removeAttribute("aria-activedescendant");
  }

  private key(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") this.close();
    else if (event.key === "ArrowDown") this.point(this.at + 1);
    else if (event.key === "ArrowUp") this.point(this.at - 1);
    else if (event.key === "Enter") this.take(this.at);
    else return;
    event.preventDefault();
  }

  private take(at: number): void {
    const { question } = this, words = this.field.value.trim(), choice = this.choices[at];
    if (choice) {
      this.close();
      choice.act();
    } else if (question?.words && words) {
      this.close();
      question.words(words);
    }
  }
}

/** Of choices those in which all words stand, the ones that begin with them first. */
export function matching(choices: Choice[], words: string): Choice[] {
  const parts = words.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ label }: Choice) => (parts.length && label.toLowerCase().startsWith(parts[0]) ? 0 : 1);
  return choices.filter(({ label, detail }) => {
    const text = `${label} ${detail ?? ""}`.toLowerCase();
    return parts.every((part) => text.includes(part));
  }).sort((p, q) => rank(p) - rank(q));
}
