// Commands: each has one entry, from which keys, buttons and the command palette take it.

import type { Analyses } from "./analyses";
import { Canvas, type PortPlace } from "./canvas";
import { type Choice, type Chooser, matching } from "./chooser";
import { connect, type Gestures, LEAST, place } from "./gestures";
import type { LiveRunTab } from "./live";
import { type Block, type Edit, end, type Kind, type Message, type Model, wireKey } from "./model";
import type { Palette } from "./palette";
import type { Point } from "./route";
import { written } from "./reading";
import type { RunPane } from "./run";
import type { TextPane } from "./text";

export interface Command {
  name: string;
  /** Keys as `Ctrl+Shift+Z`; letters alone act where nobody writes. */
  keys: string[];
  act: () => unknown;
  can?: () => boolean;
  /** Whether its key acts also where somebody writes. */
  always?: boolean;
  group: string;
}

export interface Rooms {
  model: Model; canvas: Canvas; gestures: Gestures; text: TextPane; palette: Palette; run: RunPane; analyses: Analyses; live: LiveRunTab; chooser: Chooser;
  inspect: () => void; toggle: (pane: "palette" | "side") => void; theme: () => void;
}

const ALIGNMENTS: [name: string, axis: 0 | 1, part: number][] = [
  ["Align left", 0, 0], ["Align centres", 0, 0.5], ["Align right", 0, 1], ["Align top", 1, 0], ["Align middles", 1, 0.5], ["Align bottom", 1, 1],
];
const STEP = 5, FAR_STEP = 25; // px by which arrows move blocks
const HALF = [25, 20]; // px of a usual block, which comes to stand around the point
const PAN = 8; // px of the screen by which arrows move the sheet, for each of a block
const OFFSET = 25; // px between a block and its copy

export class Commands {
  readonly list: Command[];
  private last = ""; // what was copied or pasted last
  private pastes = 0;

  constructor(private readonly rooms: Rooms, around: Window | HTMLElement) {
    const { model, canvas, gestures, text, palette, run } = rooms, some = () => model.selected.size > 0, drawn = () => model.blocks.size > 0;
    const command = (group: string, name: string, keys: string, act: () => unknown, more: Partial<Command> = {}): Command => (
      { group, name, keys: keys ? keys.split(" ") : [], act, ...more }
    );
    this.list = [
      command("File", "Save", "Ctrl+S", () => model.change({ type: "save" }), { always: true }),
      command("File", "Reload from disk", "", () => model.change({ type: "reload" })),
      command("Edit", "Undo", "Ctrl+Z", () => model.change({ type: "undo" }), { always: true, can: () => model.state?.undo === true }),
      command("Edit", "Redo", "Ctrl+Shift+Z Ctrl+Y", () => model.change({ type: "redo" }), { always: true, can: () => model.state?.redo === true }),
      command("Edit", "Cut", "Ctrl+X", () => this.cut(), { can: some }),
      command("Edit", "Copy", "Ctrl+C", () => this.copy(), { can: some }),
      command("Edit", "Paste", "Ctrl+V", () => void this.paste()),
      command("Edit", "Duplicate", "Ctrl+D", () => this.duplicate(), { can: some }),
      command("Edit", "Delete", "Delete Backspace", () => this.remove(), { can: () => some() || model.wires.size > 0 }),
      command("Edit", "Delete and reconnect the wire", "Shift+Delete", () => this.remove(true), { can: some }),
      command("Edit", "Rename block", "F2", () => model.single && gestures.rename(model.single.name), { can: () => model.single !== null }),
      command("Edit", "Edit parameters", "Enter", () => rooms.inspect(), { can: () => model.single !== null }),
      command("Edit", "Select all", "Ctrl+A", () => model.select(model.blocks.keys())),
      command("Edit", "Select nothing, or go up", "Escape", () => (some() || model.wires.size ? model.select([]) : this.up())),
      command("Edit", "Select next block", "N", () => this.next(1)),
      command("Edit", "Select previous block", "Shift+N", () => this.next(-1)),
      command("Edit", "Apply automatic fixes", "", () => void this.fix(), { can: () => (model.state?.errors.length ?? 0) > 0 }),
      command("Insert", "Insert block", "A", () => this.insertHere(), { can: () => model.state !== null }),
      command("Insert", "Wire two ports", "W", () => this.wire(), { can: () => model.blocks.size > 0 }),
      command("Insert", "Remove a wire", "", () => this.unwire(), { can: () => model.scene.wires.length > 0 }),
      command("Arrange", "Lay out all blocks", "L", () => model.change({ type: "layout", names: null })),
      command("Arrange", "Lay out selected blocks", "Shift+L", () => model.change({ type: "layout", names: [...model.selected] }), { can: some }),
      ...ALIGNMENTS.map(([name, axis, part]) => command("Arrange", name, "", () => this.align(axis, part), { can: () => model.selected.size > 1 })),
      command("Arrange", "Flip: exchange left and right", "Ctrl+I", () => this.turn(2), { can: some }),
      command("Arrange", "Rotate by 90\u00b0 clockwise", "Ctrl+R", () => this.turn(1), { can: some }),
      command("Arrange", "Rotate by 90\u00b0 counterclockwise", "Ctrl+Shift+R", () => this.turn(3), { can: some }),
      command("Arrange", "Size of the icon", "", () => this.look(() => ["resize", null]), { can: some }),
      command("Arrange", "Distribute horizontally", "", () => this.distribute(0), { can: () => model.selected.size > 2 }),
      command("Arrange", "Distribute vertically", "", () => this.distribute(1), { can: () => model.selected.size > 2 }),
      command("Edit", "Select all wires of the output", "", () => this.whole(), { can: () => model.wires.size > 0 }),
      command("Arrange", "Make a subsystem of the selection", "Ctrl+G", () => this.group(), { can: some }),
      command("Arrange", "Dissolve subsystem", "Ctrl+Shift+G", () => this.dissolve(), { can: () => model.single?.holds === true }),
      command("View", "Open subsystem", "O", () => model.single && model.enter(model.path(model.single.name)), { can: () => model.single?.holds === true }),
      command("View", "Go up to the diagram around", "U", () => this.up(), { can: () => model.level !== "" }),
      command("View", "Fit diagram", "F", () => canvas.fit()),
      command("View", "Fit selection", "Shift+F", () => canvas.fit(model.selected), { can: some }),
      command("View", "Zoom in", "+ =", () => canvas.zoom(1.25)),
      command("View", "Zoom out", "-", () => canvas.zoom(0.8)),
      command("View", "Zoom to 100 %", "0", () => canvas.zoom(1 / canvas.view.k)),
      command("View", "Search palette", "/", () => palette.focus()),
      command("View", "Go to canvas", "Ctrl+1", () => canvas.svg.focus(), { always: true }),
      command("View", "Go to text", "Ctrl+2", () => text.focus(), { always: true }),
      command("View", "Show or hide palette", "P", () => rooms.toggle("palette")),
      command("View", "Show or hide inspector and text", "T", () => rooms.toggle("side")),
      command("View", "Light or dark", "", () => rooms.theme()),
      command("Run", "Run", "Ctrl+Enter", () => run.run(), { always: true }),
      command("Run", "Live: pace, pause, sliders, pushes", "Ctrl+Shift+Enter", () => rooms.live.start(), { always: true }),
      command("Run", "Show or hide results", "R", () => run.show(!run.tray.open)),
      command("Run", "Scope for the selected wire", "S", () => this.pick(), { can: () => model.wires.size > 0 || model.single !== null }),
      command("Run", "Curves on wires", "", () => run.sparks.toggle()),
      command("Analyse", "Linear model: poles, A, B, C, D", "", () => rooms.analyses.linear("linearize", "Linear model"), { can: drawn }),
      command("Analyse", "Bode diagram", "", () => rooms.analyses.linear("bode", "Bode"), { can: drawn }),
      command("Analyse", "Step response of the linear model", "", () => rooms.analyses.linear("step", "Step"), { can: drawn }),
      command("Analyse", "Operating point (trim)", "", () => rooms.analyses.trim(), { can: drawn }),
      command("Analyse", "Sweep a parameter", "", () => rooms.analyses.sweep(), { can: drawn }),
      command("Analyse", "Fit to measured data", "", () => rooms.analyses.fit(), { can: drawn }),
      command("Help", "Commands, blocks", "Ctrl+K ?", () => this.open(), { always: true }),
    ];
    for (const [key, dx, dy] of [["ArrowLeft", -1, 0], ["ArrowRight", 1, 0], ["ArrowUp", 0, -1], ["ArrowDown", 0, 1]] as const) {
      this.arrows.set(key, (far) => this.nudge(dx * (far ? FAR_STEP : STEP), dy * (far ? FAR_STEP : STEP)));
    }
    for (const kind of ["copy", "cut", "paste"]) around.addEventListener(kind, (event) => this.clipboard(event as ClipboardEvent));
    around.addEventListener("keydown", (event) => this.pressed(event as KeyboardEvent));
  }

  private readonly arrows = new Map<string, (far: boolean) => void>();

  find(name: string): Command {
    return this.list.find((command) => command.name === name)!;
  }

  do(command: Command): void {
    if (command.can?.() ?? true) command.act();
  }

  private pressed(event: KeyboardEvent): void {
    if (event.defaultPrevented && !event.ctrlKey && !event.metaKey) return;
    const target = event.target as Element, writes = target.closest("input, select, textarea, .cm-content") !== null;
    const onSheet = target === document.body || target.classList.contains("studio") || target.closest(".canvas") !== null, name = keyName(event);
    const arrow = this.arrows.get(event.key);
    if (arrow && onSheet && !writes) {
      event.preventDefault();
      if (event.ctrlKey) return this.look(({ w, h }) => ["resize", larger([w, h], event.key)]);
      return arrow(event.shiftKey);
    }
    if (this.rooms.chooser.open || target.closest(".alive")) return; // a live run has keys of its own
    const command = this.list.find(({ keys }) => keys.includes(name));
    if (!command || (writes && !command.always)) return;
    if (command.always && writes && !/Ctrl/.test(name)) return; // a question mark may be written
    if (!onSheet && /^(Enter|Delete|Backspace)$/.test(name)) return; // buttons take it
    if (/^Ctrl\+[CXV]$/.test(name)) return; // the browser's events of the clipboard follow
    event.preventDefault();
    event.stopPropagation();
    this.do(command);
  }

  // ---- the command palette ----

  open(): void {
    const { model, canvas, chooser } = this.rooms;
    chooser.ask({
      label: "command palette", hint: "command, block type or block of the diagram",
      choices: (words) => {
        const commands = this.list.filter((command) => command.can?.() ?? true)
          .map((command): Choice => ({ label: command.name, detail: command.group, key: command.keys[0], act: () => command.act() }));
        const blocks = [...model.blocks.values()].map((block): Choice => ({
          label: block.name, detail: `${block.type} in this diagram`, act: () => {
            model.select([block.name]);
            canvas.reveal(block.name);
            canvas.svg.focus();
          },
        }));
        return [...matching(commands, words), ...(words ? matching(blocks, words) : [])];
      },
      more: async (words) => (await this.hits(words)).map(({ type, title }) => (
        { label: type, detail: `insert: ${title}`, act: () => this.insert(type, canvas.centre, null) }
      )),
    });
  }

  /** What can be done with what is selected, at the pointer. */
  menu(screen: Point): void {
    const groups = this.rooms.model.selected.size + this.rooms.model.wires.size ? ["Edit", "Arrange"] : ["Insert", "Edit", "Arrange", "View"];
    this.rooms.chooser.ask({
      label: "menu", hint: "what to do?", at: screen,
      choices: (words) => matching(groups.flatMap((group) => this.list.filter((command) => command.group === group && (command.can?.() ?? true)))
        .map((command) => ({ label: command.name, key: command.keys[0], act: () => void command.act() })), words),
    });
  }

  private async hits(words: string): Promise<Kind[]> {
    if (!words) return [];
    return (await this.rooms.model.ask<Message & { hits: Kind[] }>({ type: "search", words }, "hits")).hits;
  }

  // ---- blocks come and go ----

  /** A new block, as it is written in words; it is selected then, and wired to the port it was drawn from. */
  insert(words: string, at: Point, wire: [string, string] | null, from: PortPlace | null = null): void {
    const { model, canvas } = this.rooms, before = new Set(model.blocks.keys());
    const corner: Point = [at[0] - HALF[0], at[1] - HALF[1]], [x, y] = (wire ? corner : canvas.vacant(corner)).map((value) => 5 * Math.round(value / 5));
    model.change({ type: "insert", words, at: [x, y], wire });
    model.then(() => {
      const fresh = [...model.blocks.values()].filter((block) => !before.has(block.name));
      if (!fresh.length) return;
      model.select(fresh.map((block) => block.name));
      if (!document.activeElement?.closest("input, select, .cm-content")) canvas.svg.focus({ preventScroll: true }); // somebody writes on
      const side = from?.side === "outputs" ? "inputs" : "outputs", [block] = fresh;
      if (from && block[side].length) connect(model, from, { block, side, index: 0, at });
    });
  }

  /** Ask for a block where somebody points, or in the middle. */
  quick(at: Point, screen: Point | null, from: PortPlace | null): void {
    this.rooms.chooser.ask({
      label: "insert a block", hint: "gain 3, 1/(s+2), pid \u2026", at: screen ?? undefined,
      words: (words) => this.insert(words, at, null, from),
      choices: () => [],
      more: async (words) => {
        const [name, ...more] = words.split(/\s+/);
        return (await this.hits(more.length ? name : words)).map(({ type, title }) => (
          { label: type, detail: title, act: () => this.insert([type, ...more].join(" "), at, null, from) }
        ));
      },
    });
  }

  private insertHere(): void {
    const { model, canvas } = this.rooms, block = model.single;
    if (!block) return this.quick(canvas.centre, null, null);
    const box = canvas.box(block);
    this.quick([box.x + box.w + 60, box.y + HALF[1]], null, null);
  }

  /** With `joined` the wire into a block with one input and one output leads on to what the block drove. */
  private remove(joined = false): void {
    const { model } = this.rooms, edits: Edit[] = [], { wires } = model.scene;
    for (const name of joined ? model.selected : []) {
      const block = model.blocks.get(name)!, into = wires.filter((wire) => wire.to[0] === name), out = wires.filter((wire) => wire.from[0] === name);
      if (block.inputs.length !== 1 || block.outputs.length !== 1 || into.length !== 1) continue;
      let { source, from } = into[0];
      while (model.selected.has(from[0])) { // several in a row
        const before = wires.filter((wire) => wire.to[0] === from[0]);
        if (before.length !== 1) break;
        ({ source, from } = before[0]);
      }
      for (const wire of out) if (!model.selected.has(wire.to[0]) && !model.selected.has(from[0])) {
        edits.push(["disconnect", wire.source, wire.destination], ["connect", source, wire.destination]);
      }
    }
    for (const { source, destination, from, to } of model.chosenWires) {
      if (!model.selected.has(from[0]) && !model.selected.has(to[0])) edits.push(["disconnect", source, destination]);
    }
    for (const name of model.selected) edits.push(["remove_block", name]);
    model.edit(...edits);
  }

  /** Show the diagram around a subsystem, which is selected there. */
  private up(): void {
    const { model } = this.rooms, { level } = model;
    if (!level) return;
    const at = level.lastIndexOf("/");
    model.enter(level.slice(0, Math.max(0, at)));
    model.then(() => model.select([level.slice(at + 1)]));
  }

  /** One subsystem in place of the selected blocks, which stand inside as they stood here. */
  private group(): void {
    const { model } = this.rooms, names = [...model.selected], name = model.free("subsystem");
    const fixed = names.map((each): Edit => ["place", each, ...model.place(model.blocks.get(each)!)]); // also those placed by layout
    model.edit(...fixed, ["make_subsystem", name, ...names]);
    model.then(() => model.select([name]));
  }

  private dissolve(): void {
    const { model } = this.rooms, block = model.single, before = new Set(model.blocks.keys());
    if (!block) return;
    model.edit(["dissolve_subsystem", block.name]);
    model.then(() => model.select([...model.blocks.keys()].filter((name) => !before.has(name))));
  }

  /** The selected blocks with their boxes: corner and size along both axes. */
  private boxes(): { name: string; at: Point; size: Point }[] {
    const { model } = this.rooms;
    return [...model.selected].map((name) => model.blocks.get(name)!).map((block) => ({ name: block.name, at: model.place(block), size: [block.w, block.h] }));
  }

  private putAt(places: { name: string; at: Point }[]): void {
    const round = (value: number) => Math.round(10 * value) / 10;
    this.rooms.model.edit(...places.map(({ name, at }): Edit => ["place", name, round(at[0]), round(at[1])]));
  }

  /** Bring one side of the boxes, or their middles, to one line: that of the outermost box, or of all together. */
  private align(axis: 0 | 1, part: number): void {
    const boxes = this.boxes(), low = Math.min(...boxes.map(({ at }) => at[axis])), high = Math.max(...boxes.map(({ at, size }) => at[axis] + size[axis]));
    const line = low + part * (high - low);
    this.putAt(boxes.map(({ name, at, size }) => {
      const to: Point = [...at];
      to[axis] = line - part * size[axis];
      return { name, at: to };
    }));
  }

  /** The same distance between neighbours; the outermost ones stay. */
  private distribute(axis: 0 | 1): void {
    const boxes = this.boxes().sort((p, q) => p.at[axis] - q.at[axis]), first = boxes[0], last = boxes[boxes.length - 1];
    const taken = boxes.reduce((sum, { size }) => sum + size[axis], 0), gap = (last.at[axis] + last.size[axis] - first.at[axis] - taken) / (boxes.length - 1);
    let next = first.at[axis];
    this.putAt(boxes.map(({ name, at, size }) => {
      const to: Point = [...at];
      to[axis] = next;
      next += size[axis] + gap;
      return { name, at: to };
    }));
  }

  /** Turn the ports of the selected blocks by quarters clockwise. */
  private turn(quarters: number): void {
    this.look((block) => ["turn", ((block.turn ?? 0) + quarters) % 4]);
  }

  /** Draw the selected blocks in another way, where they are. */
  private look(by: (block: Block) => [edit: string, value: unknown]): void {
    const { model } = this.rooms, round = (value: number) => Math.round(10 * value) / 10;
    model.edit(...[...model.selected].map((name): Edit => {
      const block = model.blocks.get(name)!, [x, y] = model.place(block), [edit, value] = by(block);
      return [edit, name, round(x), round(y), value];
    }));
  }

  /** All wires that begin where a selected one begins. */
  private whole(): void {
    const { model } = this.rooms, chosen = model.scene.wires.filter((wire) => model.wires.has(wireKey(wire))).map(({ from }) => from.join());
    model.select([], model.scene.wires.filter(({ from }) => chosen.includes(from.join())).map(wireKey));
  }

  private next(way: 1 | -1): void {
    const { model, canvas } = this.rooms, names = [...model.blocks.values()].sort((p, q) => p.x - q.x || p.y - q.y).map((block) => block.name);
    if (!names.length) return;
    const last = [...model.selected].pop(), at = last === undefined ? (way > 0 ? -1 : 0) : names.indexOf(last);
    const name = names[(at + way + names.length) % names.length];
    model.select([name]);
    canvas.reveal(name);
    canvas.svg.focus({ preventScroll: true });
  }

  private timer = 0;

  private nudge(dx: number, dy: number): void {
    const { model, canvas } = this.rooms, names = new Set(model.selected);
    if (!names.size) return canvas.pan(-PAN * dx, -PAN * dy);
    for (const name of names) {
      const [x, y] = model.place(model.blocks.get(name)!);
      model.moved.set(name, [x + dx, y + dy]);
    }
    canvas.drag(names);
    clearTimeout(this.timer); // arrows that are held are one step of undo
    this.timer = window.setTimeout(() => {
      canvas.dropped();
      place(model, [...names].filter((name) => model.blocks.has(name)));
    }, 400);
  }

  /** Corrections of which the server is sure, as one step of undo. */
  private async fix(): Promise<void> {
    const { model } = this.rooms;
    model.flush();
    const { fixes, text } = await model.ask<Message & { fixes: { line: number; change: string }[]; text: string }>({ type: "fix" }, "fixes");
    if (fixes.length) model.change({ type: "text", text });
    model.say(fixes.length ? fixes.map(({ line, change }) => `line ${line}: ${change}`).join("\n") : "No automatic fix is known for these errors.");
  }

  /** A scope for the signals of the selected wires, or of the selected block. */
  private pick(): void {
    const { model, run } = this.rooms, of = model.single?.name, wires = model.wires.size ? model.chosenWires : model.scene.wires.filter((wire) => wire.from[0] === of);
    const seen = new Set<string>();
    run.show(true);
    for (const wire of wires) if (!seen.has(String(wire.from)) && seen.add(String(wire.from))) run.pick(wire);
  }

  // ---- wires by name ----

  private wire(): void {
    const { model, chooser } = this.rooms, chosen = [...model.selected].map((name) => model.blocks.get(name)!);
    if (chosen.length === 2) {
      const [source, destination] = chosen, into = destination.inputs.findIndex((port) => !port.wired);
      if (source.outputs.length === 1 && into >= 0 && destination.inputs.filter((port) => !port.wired).length === 1) {
        return model.edit(["connect", end(source, "outputs", 0), end(destination, "inputs", into)]);
      }
    }
    const ports = (side: "inputs" | "outputs", act: (block: Block, index: number) => void): Choice[] => [...model.blocks.values()].flatMap((block) =>
      block[side].flatMap((port, index) => (side === "inputs" && port.wired ? [] : [{
        label: end(block, side, index), detail: `${block.type}${port.unit ? `, ${port.unit}` : ""}`, act: () => act(block, index),
      }])));
    const first = model.single?.name;
    chooser.ask({
      label: "wire from output", hint: "from which output?",
      choices: (words) => matching(ports("outputs", (source, out) => chooser.ask({
        label: "wire to input", hint: `${end(source, "outputs", out)} \u2192 which input?`,
        choices: (other) => matching(ports("inputs", (destination, into) => {
          model.edit(["connect", end(source, "outputs", out), end(destination, "inputs", into)]);
        }), other),
      })), words).sort((p, q) => Number(q.label.split(".")[0] === first) - Number(p.label.split(".")[0] === first)),
    });
  }

  private unwire(): void {
    const { model, chooser } = this.rooms;
    chooser.ask({
      label: "remove a wire", hint: "which wire?",
      choices: (words) => matching(model.scene.wires.map(({ source, destination }) => ({
        label: `${source} \u2192 ${destination}`, act: () => model.edit(["disconnect", source, destination]),
      })), words),
    });
  }

  // ---- copies ----

  /** The selected blocks as YAML, with the wires among them and their places. */
  private asText(): string {
    const { model, text } = this.rooms, { selected } = model, lines = ["blocks:"], views = (text.reading.section("view") ?? {}) as Record<string, unknown>;
    for (const name of selected) lines.push(...text.reading.written(name).split("\n").map((line) => `  ${line}`));
    const seen = new Set(model.scene.wires.filter((wire) => selected.has(wire.from[0]) && selected.has(wire.to[0])).map((wire) => `  - ${wire.source} -> ${wire.destination}`));
    if (seen.size) lines.push("wires:", ...seen);
    lines.push("view:", ...[...selected].map((name) => {
      const place = views[name], looks = place && typeof place === "object" && !Array.isArray(place) ? (place as object) : {};
      const at = model.place(model.blocks.get(name)!).map((value) => Math.round(10 * value) / 10);
      return `  ${name}: ${Object.keys(looks).length ? written({ ...looks, at }) : written(at)}`;
    }));
    return `${lines.join("\n")}\n`;
  }

  /** Blocks go to the clipboard as text, by an event of the browser or without one. */
  private copy(event?: ClipboardEvent): void {
    const { model } = this.rooms, text = this.asText(), { size } = model.selected;
    if (event?.clipboardData) event.clipboardData.setData("text/plain", text);
    else void navigator.clipboard?.writeText(text);
    this.last = text;
    this.pastes = 0;
    model.say(`${size} ${size === 1 ? "block" : "blocks"} copied`);
  }

  private cut(event?: ClipboardEvent): void {
    this.copy(event);
    this.remove();
  }

  private async paste(event?: ClipboardEvent): Promise<void> {
    const typed = event?.clipboardData?.getData("text/plain") ?? (await navigator.clipboard?.readText()) ?? "";
    if (!typed.trim()) return;
    if (typed !== this.last) [this.last, this.pastes] = [typed, 0];
    this.add(typed, OFFSET * ++this.pastes);
  }

  /** What the browser's own keys of the clipboard do on the canvas. */
  private clipboard(event: ClipboardEvent): void {
    const target = event.target as Element, { model } = this.rooms;
    if (target.closest("input, select, textarea, .cm-content") || String(getSelection()) || this.rooms.chooser.open) return;
    if (event.type !== "paste" && !model.selected.size) return;
    event.preventDefault();
    if (event.type === "copy") this.copy(event);
    else if (event.type === "cut") this.cut(event);
    else void this.paste(event);
  }

  private duplicate(): void {
    this.add(this.asText(), OFFSET);
  }

  /** Add the blocks of a text, moved by some px, and select them. */
  private add(text: string, by: number): void {
    const { model } = this.rooms, before = new Set(model.blocks.keys());
    model.edit(["paste", text, by, by]);
    model.then(() => model.select([...model.blocks.keys()].filter((name) => !before.has(name))));
  }
}

/** The size of a block after an arrow key. */
function larger([w, h]: Point, key: string): Point {
  const by = 2 * STEP * (/Left|Up/.test(key) ? -1 : 1);
  return /Left|Right/.test(key) ? [Math.max(LEAST, w + by), h] : [w, Math.max(LEAST, h + by)];
}

/** A key with what is held, as commands name it. */
function keyName({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string {
  const letter = /^[a-z]$/i.test(key), named = key.length === 1 && letter ? key.toUpperCase() : key;
  const shift = shiftKey && (letter || key.length > 1);
  return `${ctrlKey || metaKey ? "Ctrl+" : ""}${altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${named}`;
}
