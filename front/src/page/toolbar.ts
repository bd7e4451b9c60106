// Toolbar: what is seen of the time axis, and the keys that move it.

import type { Board } from "../scopes/board";
import { button, element, number, takesKey, write } from "./element";
import { Seldom } from "./seldom";

export const KEYS: [string, string][] = [
  ["+  -", "zoom in, out"],
  ["\u2190  \u2192", "earlier, later"],
  ["0", "the whole run"],
  ["e  Shift E", "next, previous event"],
  ["drag in a scope", "zoom"],
  ["double click", "the whole run"],
  ["Ctrl wheel, Shift wheel", "zoom, move"],
  ["click in a scope", "put the time there"],
];

export function zoomBar(board: Board): HTMLElement {
  const place = element("span", { class: "range" });
  const range = new Seldom(() => write(place, `${number(board.from)} to ${number(board.to)} s`));
  board.watch(() => range.want());
  range.want();
  return element("div", { class: "zoom", role: "group", "aria-label": "time axis" },
    button("\u2212", "zoom out (-)", () => board.scale(2)),
    button("+", "zoom in (+)", () => board.scale(0.5)),
    button("\u2190", "earlier (left arrow)", () => board.pan(-0.25)),
    button("\u2192", "later (right arrow)", () => board.pan(0.25)),
    button("All", "the whole run (0)", () => board.all()),
    place);
}

/** Let the keys of the page act; `more` for those of a page of its own. Returns what takes them away. */
export function keys(target: Window | HTMLElement, board: Board, more: Record<string, () => void> = {}): () => void {
  const actions: Record<string, () => void> = {
    "+": () => board.scale(0.5),
    "=": () => board.scale(0.5),
    "-": () => board.scale(2),
    "0": () => board.all(),
    ArrowLeft: () => board.pan(-0.1),
    ArrowRight: () => board.pan(0.1),
    e: () => visit(board, 1),
    E: () => visit(board, -1),
    ...more,
  };
  const pressed = (event: Event) => {
    const { key, ctrlKey, metaKey, altKey } = event as KeyboardEvent;
    const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
    if (!action || ctrlKey || metaKey || altKey || takesKey(event.target, key)) return;
    event.preventDefault();
    action();
  };
  target.addEventListener("keydown", pressed);
  return () => target.removeEventListener("keydown", pressed);
}

/** Go to an event, and bring it into view. */
export function visit(board: Board, way: 1 | -1): void {
  const t = board.neighbour(way);
  if (!Number.isNaN(t)) show(board, t);
}

export function show(board: Board, t: number): void {
  board.place(t);
  if (t < board.from || t > board.to) {
    const half = (board.to - board.from) / 2;
    board.zoom(t - half, t + half);
  }
}

export function keyTable(more: [string, string][] = []): HTMLElement {
  const rows = [...KEYS, ...more].map(([key, what]) =>
    element("tr", {}, element("th", { scope: "row" }, element("kbd", {}, key)), element("td", {}, what)));
  return element("details", { class: "keys" }, element("summary", {}, "Keys"), element("table", {}, ...rows));
}
