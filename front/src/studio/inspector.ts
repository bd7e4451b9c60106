// Inspector: the parameters of the block that is selected, as fields, with what they mean; else the diagram.

import { element, unitText } from "../page/element";
import { renameBlock } from "./gestures";
import { type Block, type Explanation, isOpen, type Message, type Model, type Parameter, type Problem } from "./model";
import { written } from "./reading";
import { documented } from "./documents";
import { concerns, type Problems } from "./problems";
import type { TextPane } from "./text";

const CHECK = 120; // ms after a key before a value is checked
const MOST_OPEN = 12; // inputs that are listed

export class Inspector {
  private readonly body = element("div", { class: "fields" });
  readonly root = element("section", { class: "inspector", "aria-label": "inspector" }, this.body);
  private shown = "";
  private round = 0;
  private sliding = false; // a slider moves: its field stays

  constructor(private readonly model: Model, private readonly text: TextPane, private readonly problems: Problems) {
    model.watch("selection", () => void this.show());
    model.watch("state", () => void this.show());
    problems.watch(() => {
      this.shown = "";
      void this.show();
    });
  }

  /** Go to the first field. */
  focus(): void {
    (this.body.querySelector<HTMLElement>("label input, label select") ?? this.body.querySelector<HTMLElement>("input"))?.focus();
  }

  private async show(): Promise<void> {
    const { model } = this, block = model.single, round = ++this.round;
    if (!model.state) return;
    if (!block) {
      this.shown = "";
      return this.fill(...this.diagram());
    }
    if (this.sliding) return;
    const data = JSON.stringify([block.name, block.type, this.text.reading.data(block.name), model.state.errors]);
    if (data === this.shown) return;
    const answer = await model.ask<Message & Explanation>({ type: "explain", block: block.name }, "explanation");
    if (round !== this.round) return;
    this.shown = data;
    this.fill(...this.of(block, answer));
  }

  /** Put other fields there; a half-written one keeps its text and the cursor. */
  private fill(...parts: (HTMLElement | null)[]): void {
    const active = this.body.contains(document.activeElement) ? document.activeElement as HTMLInputElement : null;
    const label = active?.getAttribute("aria-label"), value = active?.value, at = active?.selectionStart ?? null;
    const halfWritten = active?.dataset.stands !== undefined && value !== active.dataset.stands;
    if (halfWritten) active.value = active.dataset.stands!; // or its change would be taken as it goes
    this.body.replaceChildren(...parts.filter((part) => part !== null));
    const field = label ? this.body.querySelector<HTMLInputElement>(`[aria-label="${CSS.escape(label)}"]`) : null;
    if (field && halfWritten) field.value = value!;
    field?.focus();
    if (field && halfWritten) field.setSelectionRange(at, at);
  }

  private of(block: Block, { kind, text, doc, parameters }: Explanation): HTMLElement[] {
    const { model } = this, name = element("input", { "aria-label": "name", value: block.name, spellcheck: "false", class: "title" });
    name.addEventListener("keydown", (event) => {
      if (event.key === "Enter") name.blur();
      if (event.key === "Escape") name.value = block.name;
    });
    name.addEventListener("change", () => {
      const to = name.value.trim();
      if (to && to !== block.name) renameBlock(model, block.name, to);
    });
    const errors = model.state!.errors.filter((error) => concerns(error, model.path(block.name)));
    const ports = [...block.inputs.map((port) => ({ port, side: "in" })), ...block.outputs.map((port) => ({ port, side: "out" }))];
    return [
      element("header", {}, name, element("span", { class: "type" }, kind || block.type)),
      ...errors.map((error) => this.problem(error)),
      ...parameters.map((parameter) => this.field(block, parameter)),
      parameters.length ? null : element("p", { class: "quiet" }, "This block has no parameters."),
      ports.length ? element("ul", { class: "ports" }, ...ports.map(({ port, side }) => element("li", {},
        element("i", {}, side), element("b", {}, port.name), element("span", {}, unitText(port.unit ?? "")),
        element("span", { class: port.wired || side === "out" ? "quiet" : "warn" }, side === "in" && !port.wired ? "open" : "")))) : null,
      text ? element("details", { class: "help", open: true }, element("summary", {}, "Help"), ...documented(doc ?? []),
        doc?.length ? element("details", {}, element("summary", {}, "Ports, parameters, example"), element("pre", {}, text)) : element("pre", {}, text)) : null,
    ].filter((part) => part !== null);
  }

  /** A parameter as it stands in the text; empty, with the default in grey, where it does not. */
  private field(block: Block, parameter: Parameter): HTMLElement {
    const { name, unit, meaning, choices } = parameter, stands = this.text.reading.data(block.name)?.[name] ?? parameter.value;
    const set = stands !== undefined && stands !== null, now = set ? this.text.reading.letters(block.name, name) ?? written(stands) : "", label = `${name} of ${block.name}`;
    const title = [meaning, parameter.range && `range: ${parameter.range}`, unit && `unit: ${unit}`, `default: ${parameter.default}`].filter(Boolean).join("\n");
    const change = (to: string) => to !== now && this.model.edit(["write", `${block.name}.${name}`, to]);
    const options = choices.length ? choices : /^(true|false)$/i.test(parameter.default) ? ["true", "false"] : [];
    if (options.length && (!set || options.includes(written(stands)))) {
      const select = element("select", { "aria-label": label, title, class: set ? "set" : undefined },
        element("option", { value: "" }, `${parameter.default} (default)`), ...options.map((option) => element("option", { value: option, selected: set && option === written(stands) }, option)));
      select.addEventListener("change", () => change(select.value));
      return row(name, select, unit, title);
    }
    return this.checked(`${block.name}.${name}`, row(name, this.area(label, now, parameter.default, change, title), unit, title), parameter);
  }

  /** A field with a slider for its number and, while somebody writes, the error that the value would have. */
  private checked(path: string, made: HTMLElement, parameter: Parameter): HTMLElement {
    const area = made.querySelector("input")!, said = element("small", { class: "wrong", role: "alert", id: `wrong-${path}` });
    const about = [parameter.range && `range: ${parameter.range}`, parameter.meaning].filter(Boolean).join("; ");
    const note = element("small", { class: "about", id: `about-${path}` }, about), slider = this.slider(path, area);
    area.setAttribute("aria-describedby", `${note.id} ${said.id}`);
    let timer = 0;
    const check = async () => {
      const text = area.value.trim(), answer = await this.model.ask<Message & { problem: string; text: string }>({ type: "check", path, text }, "verdict");
      if (answer.text !== area.value.trim()) return;
      area.setAttribute("aria-invalid", String(answer.problem !== ""));
      said.textContent = answer.problem.split("\n").slice(0, 2).join("\n");
    };
    area.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => void check(), CHECK);
    });
    made.append(note, said, ...(slider ? [slider] : []));
    return made;
  }

  /** A slider around a number; what it passes is one step of undo, and is run again. */
  private slider(path: string, area: HTMLInputElement): HTMLInputElement | null {
    const now = Number(area.value.trim() || area.placeholder);
    if (!(area.value.trim() || area.placeholder) || !Number.isFinite(now)) return null;
    const low = now > 0 ? 0 : now < 0 ? 2 * now : -1, high = now > 0 ? 2 * now : now < 0 ? 0 : 1;
    const slider = element("input", { type: "range", min: String(low), max: String(high), step: "any", "aria-label": `slide ${path}`, class: "slide" });
    slider.value = String(now);
    let begun = false;
    slider.addEventListener("input", () => {
      const value = String(Number(Number(slider.value).toPrecision(3)));
      area.value = value;
      this.sliding = true;
      if (!this.model.idle) return; // the next movement, or the end, is sent
      this.model.editOn(begun, ["write", path, value]);
      begun = true;
    });
    slider.addEventListener("change", () => {
      this.model.editOn(begun, ["write", path, area.value]);
      begun = this.sliding = false;
    });
    return slider;
  }

  /** A field that is taken at Enter, or when it is left; Escape brings back what stood there. */
  private area(label: string, now: string, usual: string, change: (to: string) => void, title = ""): HTMLInputElement {
    const area = element("input", { "aria-label": label, title, spellcheck: "false", placeholder: usual, class: now ? "set" : undefined });
    area.value = area.dataset.stands = now;
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter") area.dispatchEvent(new Event("change"));
      if (event.key === "Escape") area.value = now;
      if (event.key === "ArrowUp" || event.key === "ArrowDown") this.step(event, area);
    });
    area.addEventListener("change", () => {
      area.dataset.stands = area.value;
      change(area.value.trim());
    });
    return area;
  }

  /** A number is changed in its last digit by the arrows, ten times that with Shift. */
  private step(event: KeyboardEvent, area: HTMLInputElement): void {
    const text = area.value.trim() || area.placeholder, digits = /^-?\d+(\.(\d+))?$/.exec(text);
    if (!digits) return;
    const places = digits[2]?.length ?? 0, by = (event.key === "ArrowUp" ? 1 : -1) * 10 ** -places * (event.shiftKey ? 10 : 1);
    area.value = (Number(text) + by).toFixed(places);
    event.preventDefault();
  }

  problem(error: Problem): HTMLElement {
    return this.problems.card(error, () => this.go(error), isOpen(error) ? this.open() : error.message);
  }

  /** To the block and the line of an error. */
  go(error: Problem): void {
    const name = this.model.at(error.path);
    if (name && this.model.blocks.has(name)) this.model.select([name]);
    if (error.line !== null) this.text.go(error.line, error.column);
  }

  /** The inputs that need a wire still. */
  private open(): string {
    const ports = this.model.scene.blocks.flatMap((block) => block.inputs.filter((port) => port.needed && !port.wired)
      .map((port) => `${block.name}.${port.name}`));
    const more = ports.length > MOST_OPEN ? ` and ${ports.length - MOST_OPEN} more` : "";
    return `Inputs that need a wire: ${ports.slice(0, MOST_OPEN).join(", ")}${more}`;
  }

  private diagram(): HTMLElement[] {
    const { model } = this, state = model.state!, chosen = model.selected.size;
    const counts = `${model.scene.blocks.length} blocks, ${model.scene.wires.length} wires`;
    const parameters = this.text.reading.section("parameters"), simulate = this.text.reading.section("simulate") as Record<string, unknown> | null;
    const wires = model.chosenWires.map(({ source, destination }) => `${source} \u2192 ${destination}`);
    const rows: HTMLElement[] = [element("header", {}, element("h2", {}, chosen > 1 ? `${chosen} blocks selected` : wires.length ? wires.join(", ") : state.name || "diagram"),
      element("span", { class: "type" }, counts))];
    if (state.recovered) rows.push(element("p", { class: "notice" }, "This text was not saved before the studio ended the last time. Save keeps it; Reload from disk drops it."));
    rows.push(...state.errors.map((error) => this.problem(error)));
    if (chosen > 1 || wires.length) return rows;
    const numbers = (section: string, entries: Record<string, unknown>) => rows.push(...Object.entries(entries).map(([name, value]) => {
      const now = this.text.reading.letters(section, name, true) ?? written(value);
      return row(name, this.area(`${section}: ${name}`, now, "", (to) => {
        if (to && to !== now) model.edit(["type", section, name, to]);
      }), "", "");
    }));
    rows.push(element("h3", {}, "Parameters"));
    if (parameters && typeof parameters === "object") numbers("parameters", parameters as Record<string, unknown>);
    rows.push(this.another("parameters", "new parameter", "name = value"));
    if (model.level) return rows; // the rest is the outermost diagram's
    rows.push(element("h3", {}, "Simulation"));
    if (simulate && typeof simulate === "object") numbers("simulate", simulate);
    rows.push(this.another("simulate", "new setting", "stop = 10"));
    const log = this.text.reading.section("log"), logged = Array.isArray(log) ? log.map(String).join(", ") : "";
    rows.push(row("log", this.area("logged signals", logged, "all signals", (to) => {
      const names = to.split(/[\s,]+/).filter(Boolean);
      if (names.join() !== logged.replaceAll(" ", "")) model.edit(names.length ? ["set", "log", names] : ["remove", "log"]);
    }), "", "signals that a run stores; all of them where nothing is written"));
    return rows;
  }

  /** A field for one more entry of a section, as `name = value`. */
  private another(section: string, label: string, usual: string): HTMLElement {
    const area = this.area(label, "", usual, (to) => {
      const [name, ...value] = to.split(/[=:]/), text = value.join("=").trim();
      if (name.trim() && text) this.model.edit(["type", section, name.trim(), text]);
      else if (to) this.model.say(`${usual} is expected, not ${to}`);
    });
    return row("new", area, "", "");
  }
}

function row(name: string, field: HTMLElement, unit: string, title: string): HTMLElement {
  return element("label", { title }, element("span", {}, name), field, element("span", { class: "unit" }, unitText(unit).slice(1, -1)));
}
