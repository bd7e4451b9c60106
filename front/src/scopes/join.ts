// Join: lines of one scope brought into another, by a menu or by dragging.

import { element } from "../page/element";
import type { Board } from "./board";
import type { Line, Scope } from "./scope";

/** A menu of all lines, each of which can be added to a scope. */
export function joiner(board: Board, scope: Scope): HTMLElement {
  const menu = element("select", { class: "join", title: "add a line; or drag its name here", "aria-label": "add a line" });
  const empty = () => menu.replaceChildren(element("option", {}, "add a line"));
  const fill = () => {
    const others = board.lines.map((line, k) => ({ line, k })).filter(({ line }) => !scope.lines.includes(line));
    const entries = others.map(({ line, k }) => element("option", { value: String(k) }, line.name));
    empty();
    menu.append(...entries);
  };
  empty();
  menu.addEventListener("focus", fill); // a page may have thousands of lines
  menu.addEventListener("blur", empty);
  menu.addEventListener("change", () => {
    const line = board.lines[Number(menu.value)];
    if (line) scope.add(line);
    menu.blur();
  });
  return menu;
}

/** Let the name of a line be dragged into another scope. */
export function letDrag(board: Board, entry: HTMLElement, line: Line): void {
  entry.draggable = true;
  entry.addEventListener("dragstart", (event) => {
    board.dragged = line;
    event.dataTransfer?.setData("text/plain", line.name);
  });
  entry.addEventListener("dragend", () => (board.dragged = null));
}

/** Add the line that is dropped on a scope. */
export function acceptDrops(board: Board, scope: Scope): void {
  scope.root.addEventListener("dragover", (event) => {
    if (board.dragged && !scope.lines.includes(board.dragged)) event.preventDefault();
  });
  scope.root.addEventListener("drop", (event) => {
    if (!board.dragged) return;
    event.preventDefault();
    scope.add(board.dragged);
  });
}
