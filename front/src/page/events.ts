// Events: what happened when, as a list that goes to the instant, parted by kind.

import type { Board } from "../scopes/board";
import { element, number } from "./element";
import { show } from "./toolbar";

export interface Happened {
  time: number;
  path: string;
  kind: string;
  detail: string;
}

const TICKS = new Set(["time", "sample"]);
const MOST_ROWS = 200; // at a time; more come with a button

export class EventList {
  readonly root: HTMLElement;
  private readonly body = element("tbody");
  private readonly kinds = element("select", { "aria-label": "kind of event" });
  private readonly more = element("button", { type: "button" });
  private readonly heading = element("h2");
  private shown = MOST_ROWS;
  private events: Happened[] = [];

  constructor(private readonly board: Board, private readonly newestFirst = false) {
    const head = ["time, s", "block", "kind", "what"].map((name) => element("th", { scope: "col" }, name));
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), this.body);
    this.root = element("section", { class: "events" },
      element("div", { class: "head" }, this.heading, this.kinds),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "events" }, table, this.more));
    this.kinds.addEventListener("change", () => this.fill(MOST_ROWS));
    this.more.addEventListener("click", () => this.fill(this.shown + 10 * MOST_ROWS));
    this.body.addEventListener("click", (event) => {
      const row = (event.target as Element).closest("tr");
      if (row?.dataset.time) show(board, Number(row.dataset.time));
    });
  }

  tell(events: Happened[]): void {
    this.events = events;
    const counts = new Map<string, number>();
    for (const { kind } of events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const chosen = this.kinds.value;
    this.kinds.replaceChildren(new Option(`all (${events.length})`, ""));
    for (const [kind, count] of counts) this.kinds.append(new Option(`${kind} (${count})`, kind, false, kind === chosen));
    this.kinds.hidden = counts.size < 2;
    this.heading.textContent = `Events (${events.length})`;
    this.root.hidden = events.length === 0;
    this.fill(this.shown);
  }

  /** Those of the kind chosen; marked in the scopes without the ticks of clocks, unless these are chosen. */
  private chosen(ticks: boolean): Happened[] {
    const kind = this.kinds.value;
    return this.events.filter((event) => (kind ? event.kind === kind : ticks || !TICKS.has(event.kind)));
  }

  private fill(most: number): void {
    this.shown = most;
    const chosen = this.chosen(true);
    this.board.marks = this.chosen(false).map((event) => event.time);
    this.board.redraw();
    const rows = this.newestFirst ? chosen.slice(-most).reverse() : chosen.slice(0, most);
    this.body.replaceChildren(...rows.map((event) => {
      const at = element("button", { type: "button", title: "go there" }, number(event.time));
      const cells = [at, event.path, event.kind, event.detail].map((text) => element("td", {}, text));
      const row = element("tr", {}, ...cells);
      row.dataset.time = String(event.time);
      return row;
    }));
    this.more.hidden = chosen.length <= most;
    this.more.textContent = `${chosen.length - most} more`;
  }
}
