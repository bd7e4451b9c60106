// Analyses: linear models, operating points and sweeps of the open diagram, each in a tab of the results.

import { element } from "../page/element";
import { zoomBar } from "../page/toolbar";
import { Board } from "../scopes/board";
import type { Appearance } from "../scopes/colours";
import { chart } from "../scopes/scope";
import { Series } from "../scopes/series";
import { type Choice, type Chooser, matching } from "./chooser";
import { end, type Message, type Model } from "./model";
import type { RunPane } from "./run";
import type { Tab } from "./tray";

interface Part { text?: string; title?: string; columns?: string[]; rows?: string[][] }
interface Curve { label: string; unit: string; time: number[]; values: (number | null)[] }
interface Answer { type: "analysis"; number: number; version: number; seconds: number; problem?: string; parts?: Part[]; curves?: Curve[]; picture?: string | null }
interface Request { what: string; [name: string]: unknown }

const OWN = "the inputs and outputs of the diagram";

export class Analyses {
  private readonly places = new Map<number, { tab: Tab; place: HTMLElement; board: Board | null }>();
  private count = 0;

  constructor(private readonly model: Model, private readonly run: RunPane, private readonly chooser: Chooser, private readonly appearance: Appearance,
    private readonly parameters: () => string[]) {
    model.watch("message", (message) => {
      if (message?.type === "analysis") this.show(message as unknown as Answer);
    });
  }

  paint(): void {
    for (const { board } of this.places.values()) board?.paint(this.appearance.colours, this.appearance.paper);
  }

  /** A linear model from one signal to another, looked at in one way. */
  linear(what: string, title: string): void {
    const { model } = this, has = (type: string) => [...model.blocks.values()].some((block) => block.type === type), outputs = this.outputs();
    const ask = (label: string, first: Choice[], act: (name: string) => void) => this.chooser.ask({
      label, hint: `${title}: ${label}`, choices: (words) => [...matching(first, words), ...matching(outputs.map((name) => ({ label: name, act: () => act(name) })), words)],
    });
    const all: Choice[] = has("Inport") && has("Outport") || what === "linearize" ? [{ label: OWN, act: () => this.start(title, { what }) }] : [];
    ask("from which signal?", all, (input) => ask("to which signal?", [], (output) => {
      this.start(`${title}: ${input} \u2192 ${output}`, { what, inputs: [input], outputs: [output] });
    }));
  }

  trim(): void {
    this.start("Operating point", { what: "trim" });
  }

  /** Ask for a parameter, its values, and the signal that is shown. */
  sweep(): void {
    const { model, chooser } = this, paths = this.parameters().map((path) => this.model.path(path));
    const block = model.single?.name;
    paths.sort((p, q) => Number(q.split(".")[0] === block) - Number(p.split(".")[0] === block));
    chooser.ask({
      label: "parameter to vary", hint: "which parameter? gain.k", words: (path) => values(path),
      choices: (words) => matching(paths.map((path) => ({ label: path, act: () => values(path) })), words),
    });
    const values = (path: string) => chooser.ask({
      label: `values of ${path}`, hint: `values of ${path}: 1, 2, 5 or 0:10:5`, choices: () => [],
      words: (list) => chooser.ask({
        label: "signal to show", hint: "which signal is shown?",
        choices: (words) => matching(this.outputs().map((signal) => ({
          label: signal, act: () => this.start(`${signal} over ${path}`, { what: "sweep", path, values: list, signal, stop: this.run.end() }),
        })), words),
      }),
    });
  }

  /** Ask for a file of measurements and the numbers that are to be found. */
  fit(): void {
    const { chooser } = this, paths = this.parameters().map((path) => this.model.path(path));
    const numbers = (data: string) => {
      const start = (names: string) => this.start(`Fit to ${data}`, { what: "fit", data, names });
      chooser.ask({
        label: "numbers to find", hint: "which numbers? kp, gain.k", words: start,
        choices: (words) => matching(paths.map((path) => ({ label: path, act: () => start(path) })), words),
      });
    };
    chooser.ask({ label: "file of measurements", hint: "file next to the diagram: time and signals, as speed.csv", choices: () => [], words: numbers });
  }

  private outputs(): string[] {
    return [...this.model.blocks.values()].flatMap((block) => block.outputs.map((_, k) => this.model.path(end(block, "outputs", k))));
  }

  private start(title: string, request: Request): void {
    const { model, run } = this, number = ++this.count, place = element("div", { class: "analysis" }, element("p", { class: "quiet", role: "status" }, "computing \u2026"));
    run.show(true);
    const tab = run.tray.add(title, place, { closed: () => this.places.delete(number), shown: () => this.places.get(number)?.board?.redraw() });
    this.places.set(number, { tab, place, board: null });
    run.tray.choose(tab);
    model.flush();
    const send = () => model.send({ ...request, type: "analyse", number } as Message);
    if (model.idle) send();
    else model.then(send);
  }

  private show({ number, problem, parts, curves, picture, seconds }: Answer): void {
    const at = this.places.get(number);
    if (!at) return;
    if (problem) return at.place.replaceChildren(element("div", { class: "problem" }, element("pre", {}, problem)));
    const made = (parts ?? []).map((part) => (part.text !== undefined ? element("p", {}, part.text) : table(part)));
    const drawn = picture ? element("img", { alt: at.tab.button.textContent ?? "picture", src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}` }) : null;
    at.place.replaceChildren(...(curves?.length ? this.curves(at, curves) : []), ...(drawn ? [drawn] : []),
      element("div", { class: "tables" }, ...made, element("p", { class: "quiet" }, `computed in ${Number(seconds.toPrecision(2))} s`)));
    at.board?.hurry();
  }

  private curves(at: { tab: Tab; board: Board | null }, curves: Curve[]): HTMLElement[] {
    const start = Math.min(...curves.map(({ time }) => time[0])), stop = Math.max(...curves.map(({ time }) => time[time.length - 1]));
    const board = (at.board = new Board(start, stop, this.appearance.colours));
    board.lines = curves.map(({ label, unit, time, values }) => (
      { name: label, unit, series: new Series(Float64Array.from(time), Float64Array.from(values, (value) => value ?? NaN), false) }
    ));
    const scope = chart(board, at.tab.button.textContent ?? "", "time", [...board.lines]);
    board.scopes.push(scope);
    return [element("div", { class: "curves" }, zoomBar(board), scope.root)];
  }
}

function table({ title, columns = [], rows = [] }: Part): HTMLElement {
  const head = columns.some(Boolean) ? element("thead", {}, element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)))) : null;
  return element("figure", {}, title ? element("figcaption", {}, title) : null, element("table", {}, head,
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell, k) => (k ? element("td", {}, cell) : element("th", { scope: "row" }, cell))))))));
}
