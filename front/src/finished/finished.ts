// Finished: the page of a run that has ended: scopes, events, film, each at the time of the others.

import { doubles, values } from "../page/coded";
import { button, element } from "../page/element";
import { EventList } from "../page/events";
import { Film } from "../page/film";
import { keyTable, keys, zoomBar } from "../page/toolbar";
import { Board } from "../scopes/board";
import { Appearance } from "../scopes/colours";
import { chart, type Line } from "../scopes/scope";
import { Series } from "../scopes/series";
import type { RunData } from "./data";

/** Show the run that stands in the page's element `data`. */
export async function show(): Promise<void> {
  const data = JSON.parse(document.getElementById("data")!.textContent!) as RunData;
  const root = document.querySelector<HTMLElement>(".blockdyn")!;
  let paint = () => {};
  const appearance = new Appearance(root, () => paint());
  const lines = await decoded(data); // a frame may be told meanwhile that it is dark around it
  const board = new Board(data.start, data.stop, appearance.colours);
  board.lines = lines;
  const film = data.film && new Film(board, data.film);
  const events = new EventList(board);
  paint = () => {
    board.paint(appearance.colours, appearance.paper);
    film?.paint();
  };
  const dark = button("Light / dark", "light or dark", () => appearance.toggle());
  const bar = element("div", { class: "toolbar" }, data.lines.length ? zoomBar(board) : null, dark);
  const more: [string, string][] = film ? [["Space", "play, pause"], ["f  r", "follow, reset the view"]] : [];
  place("toolbar", bar);
  place("film", film?.root);
  place("scopes", scopes(board, data, lines));
  place("events", events.root);
  place("keys", keyTable(more));
  events.tell(data.events.map(([time, path, kind, detail]) => (
    { time, path: data.names[path], kind: data.names[kind], detail }
  )));
  keys(window, board, film?.keys);
  board.redraw();
  root.dataset.ready = "true";
}

async function decoded(data: RunData): Promise<Line[]> {
  const times = await Promise.all(data.times.map(doubles));
  return Promise.all(data.lines.map(async (line) => (
    { name: line.name, unit: line.unit, series: new Series(times[line.time], await values(line), line.held) }
  )));
}

/** The scopes of the run, and behind "more" those that it did not ask for. */
function scopes(board: Board, data: RunData, lines: Line[]): HTMLElement {
  const seen = element("div"), others = element("details", { class: "more" });
  const count = data.scopes.filter((scope) => !scope.first).length;
  others.append(element("summary", {}, `${count} more ${count === 1 ? "scope" : "scopes"}`));
  others.hidden = count === 0;
  for (const { title, form, first, lines: numbers } of data.scopes) {
    const scope = chart(board, title, form, numbers.map((k) => lines[k]));
    board.scopes.push(scope);
    (first ? seen : others).append(scope.root);
  }
  return element("div", {}, seen, others);
}

function place(id: string, part: HTMLElement | undefined): void {
  const at = document.getElementById(id)!;
  if (part) at.replaceChildren(part);
  else at.remove();
}
