// Run: the scopes of a run below the canvas, its events, and what it said.

import { button, element } from "../page/element";
import { EventList } from "../page/events";
import { zoomBar } from "../page/toolbar";
import { Board } from "../scopes/board";
import type { Appearance } from "../scopes/colours";
import { chart, type Line } from "../scopes/scope";
import { Series } from "../scopes/series";
import type { Model, Problem, Result, Signal } from "./model";

const MOST_SCOPES = 40;
const USUAL = 10; // s of a run for which neither the file nor anybody here says how long it is

export class RunPane {
  private readonly stop = element("input", { "aria-label": "stop time", inputmode: "decimal", class: "stop" });
  private readonly said = element("span", { class: "said", role: "status" });
  private readonly bar = element("div", { class: "zooms" });
  private readonly place = element("div", { class: "plots" });
  readonly root: HTMLElement;
  private board: Board | null = null;
  private results = 0;
  busy = false;
  /** What went wrong in the last run. */
  errors: Problem[] = [];

  constructor(private readonly model: Model, private readonly appearance: Appearance, private readonly opened: (on: boolean) => void,
    private readonly declared: () => boolean) {
    const go = button("Run", "run (Ctrl+Enter)", () => this.run());
    go.classList.add("go");
    this.root = element("section", { class: "run", "aria-label": "run", hidden: true },
      element("header", {}, go, element("label", {}, "until ", this.stop, " s"), this.said, this.bar,
        button("\u00d7", "close the run", () => this.show(false))),
      this.place);
    this.stop.addEventListener("keydown", (event) => event.key === "Enter" && this.run());
    model.watch("message", (message) => {
      if (message?.type === "result") this.draw(message as unknown as Result);
      else if (message?.type === "error" && message.about === "run") this.fail(String(message.text));
    });
    model.watch("state", () => {
      this.stop.placeholder = this.declared() ? "as the file" : String(USUAL);
      this.age();
    });
  }

  show(on: boolean): void {
    this.root.hidden = !on;
    this.opened(on);
  }

  paint(): void {
    this.board?.paint(this.appearance.colours, this.appearance.paper);
  }

  run(): void {
    if (this.busy) return;
    this.show(true);
    this.model.flush();
    const start = () => {
      const text = this.stop.value.trim(), stop = text ? Number(text) : this.declared() ? null : USUAL;
      if (stop !== null && !(stop > 0)) return this.fail("The stop time is a number of seconds above 0.");
      this.busy = true;
      this.root.classList.add("busy");
      this.tell("running \u2026", "");
      this.model.fail([]);
      this.model.send({ type: "run", stop });
    };
    if (this.model.idle) start();
    else this.model.then(start);
  }

  private tell(text: string, kind: string): void {
    this.said.textContent = text;
    this.said.className = `said ${kind}`;
  }

  private fail(text: string): void {
    this.busy = false;
    this.root.classList.remove("busy");
    this.tell(text, "warn");
  }

  /** Results of a text that has changed since look older. */
  private age(): void {
    this.place.classList.toggle("old", this.results !== 0 && this.model.state?.version !== this.results);
  }

  private draw(result: Result): void {
    this.busy = false;
    this.root.classList.remove("busy");
    this.results = result.version;
    const { message, complete, seconds, events } = result;
    this.errors = result.version === this.model.state?.version ? result.errors ?? [] : [];
    this.model.fail((result.errors ?? []).flatMap(({ path }) => (path ? [path.split(/[./]/)[0]] : [])));
    this.tell(complete ? `${message ? `${message}: ` : ""}${result.signals.length} signals, ${events.length} events, computed in ${Number(seconds.toPrecision(2))} s` : message, complete ? "quiet" : "warn");
    const times = new Map(Object.entries(result.time).map(([path, time]) => [path, Float64Array.from(time)]));
    const lines = new Map<Signal, Line>(), ends = [...times.values()].filter((time) => time.length);
    for (const signal of result.signals) {
      const time = times.get(signal.time) ?? times.get(signal.path) ?? ends[0];
      if (!time) continue;
      const values = Float64Array.from(signal.values, (value) => value ?? NaN), count = Math.min(time.length, values.length);
      lines.set(signal, { name: signal.path, unit: signal.unit ?? "", series: new Series(time.slice(0, count), values.slice(0, count), false) });
    }
    const start = Math.min(...ends.map((time) => time[0])), stop = Math.max(...ends.map((time) => time[time.length - 1]));
    const board = (this.board = new Board(Number.isFinite(start) ? start : 0, Number.isFinite(stop) ? stop : 1, this.appearance.colours));
    board.lines = [...lines.values()];
    const groups = new Map<string, Line[]>();
    for (const [{ path }, line] of lines) {
      const [block] = path.split("."), title = this.model.blocks.get(block)?.type === "Scope" ? block : path.split("[")[0];
      const group = groups.get(title);
      if (group) group.push(line);
      else groups.set(title, [line]);
    }
    const list = new EventList(board), scopes = [...groups].slice(0, MOST_SCOPES).map(([title, of]) => chart(board, title, "time", of));
    board.scopes.push(...scopes);
    this.bar.replaceChildren(zoomBar(board));
    this.place.replaceChildren(...scopes.map((scope) => scope.root), list.root);
    list.tell(events.map((event) => ({ ...event, detail: event.detail ?? "" })));
    this.age();
    board.redraw();
  }
}
