// Model: what the server holds (text, scene, errors), the selection, and the changes that are on their way.

import type { Listener } from "../live/link";
import type { Heading } from "./route";

export interface Port { name: string; dx: number; dy: number; unit: string; size: string | number | null; wired: boolean; needed?: boolean }
export interface Block {
  name: string; type: string; label: string; x: number; y: number; w: number; h: number; icon: string;
  /** Whether it is a subsystem, which can be opened. */
  holds?: boolean;
  /** Quarter turns clockwise of its ports: 1 has the inputs at the top, 2 at the right. */
  turn?: number;
  inputs: Port[]; outputs: Port[]; wrong: boolean;
}
/** The side of the inputs or of the outputs of a block. */
export const sideOf = (block: Block, ends: "inputs" | "outputs"): Heading => (((block.turn ?? 0) + (ends === "outputs" ? 0 : 2)) % 4) as Heading;
export interface Wire { source: string; destination: string; from: [string, number]; to: [string, number] }
export interface Scene { blocks: Block[]; wires: Wire[] }
export interface Problem {
  kind: string; message: string; line: number | null; column: number | null; path: string | null; port: string | null;
  /** All blocks that it is about, such as those of a loop. */
  blocks?: string[];
}
export interface State {
  type: "state"; version: number; text: string; name: string; file: string | null; saved: boolean; undo: boolean; redo: boolean;
  stale?: boolean; recovered?: boolean; errors: Problem[]; scene: Scene | null;
  /** The path of the subsystem that is shown, and why it cannot be edited here. */
  level: string; locked: string; answers?: number;
}
export interface Signal { path: string; unit: string; values: (number | null)[]; time: string; kind?: string }
export interface Result {
  type: "result"; version: number; complete: boolean; message: string; time: Record<string, number[]>; signals: Signal[];
  /** Those that the diagram declares: lines by path, with their names. */
  scopes?: { title: string; form: string; lines: [path: string, name: string][] }[];
  events: { time: number; path: string; kind: string; detail?: string }[]; seconds: number; errors?: Problem[];
}
export interface Parameter {
  name: string; value: unknown; default: string; unit: string; meaning: string; range: string; choices: string[];
}
export interface Explanation { type: "explanation"; name: string; kind: string; text: string; doc?: { text?: string; code?: string; equations?: string }[]; parameters: Parameter[] }
export interface Kind { type: string; title: string }
export interface Family { name: string; types: Kind[] }

export type Edit = [method: string, ...args: unknown[]];
export type Message = { type: string } & Record<string, unknown>;
export type Topic = "state" | "selection" | "reached" | "said" | "message" | "failed" | "level";

const ANSWERS = new Map([["explain", "explanation"], ["search", "hits"], ["palette", "palette"], ["complete", "candidates"], ["check", "verdict"], ["picture", "response"]]);

/** One wire among those of a diagram, also where a line of the file stands for several. */
export const wireKey = ({ from, to }: Wire) => `${from[0]}.${from[1]} -> ${to[0]}.${to[1]}`;

/** The one place of what is shown. Changes go to the server one at a time, each against the version it was made for. */
export class Model {
  state: State | null = null;
  /** The last scene that could be drawn; `stale` where the text of now has none. */
  scene: Scene = { blocks: [], wires: [] };
  stale = false;
  /** The path of the subsystem that is shown; nothing for the outermost diagram. */
  level = "";
  readonly blocks = new Map<string, Block>();
  readonly selected = new Set<string>();
  readonly wires = new Set<string>();
  /** Places of blocks that were moved here, until the server has them. */
  readonly moved = new Map<string, [number, number]>();
  /** Blocks at which the last run failed. */
  readonly failed = new Set<string>();
  reached = false;
  saying = "";
  /** Called before a change by mouse or key, so that what was typed goes first. */
  flush: () => void = () => {};

  /** What is sent with every change: how to run what it makes. */
  attach: (change: Message) => Record<string, unknown> = () => ({});

  private readonly watchers = new Map<Topic, ((message?: Message) => void)[]>();
  private readonly waiting: Message[] = [];
  private busy: Message | null = null;
  private number = 0; // of the last change
  private sent = 0; // when the change on its way was sent
  /** How long the last change took to come back, ms. */
  lag = 100;
  private asked: { type: string; done: (answer: Message) => void }[] = [];
  private after: (() => void)[] = [];
  private readonly link: { send(message: Message): void };

  /** `connect` makes the way to the server: a socket, or the messages of a notebook. */
  constructor(connect: (listener: Listener<Message>) => { send(message: Message): void }) {
    this.link = connect({ told: (message) => this.told(message), binary: (view) => this.binary(view), connected: (on) => this.connected(on) });
  }

  watch(topic: Topic, act: (message?: Message) => void): void {
    this.watchers.set(topic, [...(this.watchers.get(topic) ?? []), act]);
  }

  tell(topic: Topic, message?: Message): void {
    for (const act of this.watchers.get(topic) ?? []) act(message);
  }

  // ---- what goes to the server ----

  /** One step of undo: calls of the text's edits, all or none. */
  edit(...edits: Edit[]): void {
    if (edits.length) this.change({ type: "edit", edits });
  }

  /** More of the last step of undo: a slider moves. */
  editOn(continues: boolean, ...edits: Edit[]): void {
    this.change({ type: "edit", edits, continues });
  }

  change(message: Message): void {
    if (message.type !== "text") this.flush();
    this.waiting.push({ level: this.level, ...message });
    this.next();
  }

  /** Show a subsystem by its path, or the outermost diagram. */
  enter(level: string): void {
    this.change({ type: "enter", level });
  }

  /** The path of a block that is shown. */
  path(name: string): string {
    return this.level ? `${this.level}/${name}` : name;
  }

  /** The block of this level that is, or holds, what a path names. */
  at(path: string | null): string | null {
    if (path === null || (this.level && !path.startsWith(`${this.level}/`))) return null;
    return path.slice(this.level ? this.level.length + 1 : 0).split(/[./[]/)[0];
  }

  /** Whether nothing is on its way. */
  get idle(): boolean {
    return !this.busy && !this.waiting.length;
  }

  /** Do something with the state that follows the changes made so far. */
  then(act: () => void): void {
    this.after.push(act);
  }

  /** Ask for what changes nothing; answers of one type come in the order of the questions. */
  ask<A extends Message>(message: Message, answer: string): Promise<A> {
    return new Promise((done) => {
      this.asked.push({ type: answer, done: done as (answer: Message) => void });
      this.link.send({ level: this.level, ...message });
    });
  }

  send(message: Message): void {
    this.link.send(message);
  }

  private next(): void {
    if (this.busy || !this.waiting.length || !this.state || !this.reached) return;
    this.busy = { ...this.waiting.shift()!, id: ++this.number };
    this.sent = performance.now();
    this.link.send({ ...this.attach(this.busy), version: this.state.version, ...this.busy });
  }

  // ---- what comes from it ----

  told(message: Message): void {
    if (message.type === "state") return this.adopt(message as unknown as State);
    const unanswered = message.type === "error" ? ANSWERS.get(String(message.about)) : undefined;
    if (unanswered) { // the errors of the text are listed already
      const first = this.asked.findIndex(({ type }) => type === unanswered);
      if (first >= 0) this.asked.splice(first, 1);
      return;
    }
    if (message.type === "error") {
      this.say(String(message.text));
      if (message.answers === this.busy?.id && this.busy) this.settle(false);
    }
    if (message.type === "note") this.say(String(message.text));
    if (message.type === "conflict" && message.answers === this.busy?.id) this.settle(false);
    const first = this.asked.findIndex(({ type }) => type === message.type);
    if (first >= 0) this.asked.splice(first, 1)[0].done(message);
    this.tell("message", message);
  }

  /** Samples of a live run. */
  binary: (view: DataView) => void = () => {};

  connected(on: boolean): void {
    this.reached = on;
    if (this.busy?.type === "text") this.waiting.unshift(this.busy); // what was typed is sent again
    this.busy = null;
    this.asked = [];
    if (on) (this.link as typeof this.link | undefined)?.send({ type: "open", level: this.level }); // a widget's link has sent it
    this.tell("reached");
  }

  private adopt(state: State): void {
    const first = this.state === null, { busy } = this, answered = busy !== null && state.answers === busy.id;
    state.text = state.text.replaceAll("\r\n", "\n"); // the server has the ends of lines
    const moved = state.level !== this.level;
    this.state = state;
    if (answered) this.lag = performance.now() - this.sent;
    this.stale = state.stale ?? state.scene === null;
    if (moved) {
      this.level = state.level;
      this.moved.clear();
      this.selected.clear();
      this.wires.clear();
      this.blocks.clear();
    }
    if (state.scene) {
      this.scene = state.scene;
      for (const block of this.scene.blocks) block.wrong &&= isWrong(block, this.path(block.name), state.errors);
      this.blocks.clear();
      for (const block of state.scene.blocks) this.blocks.set(block.name, block);
    }
    const present = new Set(this.scene.wires.map(wireKey));
    for (const name of this.selected) if (!this.blocks.has(name)) this.selected.delete(name);
    for (const key of this.wires) if (!present.has(key)) this.wires.delete(key);
    if (moved) this.tell("level");
    if (answered || !busy) this.settle(answered);
    else this.tell("state"); // another browser's change
    if (first) this.tell("reached");
  }

  /** The change on its way was made, or refused. */
  private settle(made: boolean): void {
    const answered = this.busy !== null;
    this.busy = null;
    if (!this.waiting.length && answered) this.moved.clear();
    this.tell("state");
    if (this.waiting.length) return this.next();
    if (!answered) return;
    const acts = this.after.splice(0);
    if (made) for (const act of acts) act();
  }

  // ---- what is selected ----

  select(names: Iterable<string>, wires: Iterable<string> = []): void {
    this.selected.clear();
    this.wires.clear();
    for (const name of names) if (this.blocks.has(name)) this.selected.add(name);
    for (const key of wires) this.wires.add(key);
    this.tell("selection");
  }

  toggle(name: string): void {
    if (!this.selected.delete(name)) this.selected.add(name);
    this.tell("selection");
  }

  /** The one block that is selected. */
  get single(): Block | null {
    return this.selected.size === 1 ? this.blocks.get([...this.selected][0]) ?? null : null;
  }

  /** The wires that are selected, once each as the file has them. */
  get chosenWires(): Wire[] {
    const seen = new Set<string>();
    return this.scene.wires.filter((wire) => {
      const text = `${wire.source} -> ${wire.destination}`;
      return this.wires.has(wireKey(wire)) && !seen.has(text) && seen.add(text);
    });
  }

  place(block: Block): [number, number] {
    return this.moved.get(block.name) ?? [block.x, block.y];
  }

  fail(names: Iterable<string>): void {
    this.failed.clear();
    for (const name of names) this.failed.add(name);
    this.tell("failed");
  }

  say(text: string): void {
    this.saying = text;
    this.tell("said");
  }

  /** A name that no block has: `gain`, `gain2`, ... */
  free(name: string, taken: ReadonlySet<string> = new Set()): string {
    const stem = name.replace(/\d+$/, "");
    for (let k = 0; ; k++) {
      const tried = k === 0 ? name : `${stem}${k + 1}`;
      if (!this.blocks.has(tried) && !taken.has(tried)) return tried;
    }
  }
}

/** An input that nothing drives yet: the diagram is being drawn. */
export const isOpen = ({ kind }: Problem) => kind === "MissingInput";

/** Whether an error is of a block, beyond inputs that are open. */
function isWrong(block: Block, path: string, errors: Problem[]): boolean {
  const others = errors.filter((error) => !isOpen(error));
  const named = others.some((error) => [error.path, ...error.blocks ?? []].some((at) => at === path || at?.startsWith(`${path}.`) || at?.startsWith(`${path}/`)));
  return named || (others.length > 0 && !block.inputs.some((port) => port.needed && !port.wired));
}

/** An end of a wire as a file has it: the block alone where it has one port on that side. */
export function end(block: Block, side: "inputs" | "outputs", k: number): string {
  return block[side].length === 1 ? block.name : `${block.name}.${block[side][k].name}`;
}
