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
const MANY = 20; // events of one kind at one block: more of them are one row, with their number

export class EventList {
  readonly root: HTMLElement;
  private readonly body = element("tbody");
  private readonly kinds = element("select", { "aria-label": "kind of event" });
  private readonly more = element("button", { type: "button" });
  private readonly heading = element("h2");
  private shown = MOST_ROWS;
  private events: Happened[] = [];
  private readonly unfolded = new Set<string>();

  constructor(private readonly board: Board, private readonly newestFirst = false) {
    const head = ["time (s)", "block", "kind", "detail"].map((name) => element("th", { scope: "col" }, name));
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), this.body);
    this.root = element("section", { class: "events" },
      element("div", { class: "head" }, this.heading, this.kinds),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "events" }, table, this.more));
    this.kinds.addEventListener("change", () => {
      this.unfolded.clear();
      this.fill(MOST_ROWS);
    });
    this.more.addEventListener("click", () => this.fill(this.shown + 10 * MOST_ROWS));
    this.body.addEventListener("click", (event) => {
      const row = (event.target as Element).closest("tr");
      const { unfold } = (event.target as HTMLElement).dataset;
      if (unfold !== undefined) {
        this.unfolded.add(unfold);
        this.fill(this.shown);
      } else if (row?.dataset.time) show(board, Number(row.dataset.time));
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
    this.board.marks = this.chosen(false).map((event) => event.time);
    this.board.redraw();
    const listed = this.folded(this.newestFirst ? this.chosen(true).reverse() : this.chosen(true));
    this.body.replaceChildren(...listed.slice(0, most).map(({ event, count }) => row(event, count)));
    this.more.hidden = listed.length <= most;
    this.more.textContent = `${listed.length - most} more`;
  }

  /** Where one block tells the same many times, its first row stands for all of them. */
  private folded(events: Happened[]): { event: Happened; count: number }[] {
    const counts = new Map<string, number>(), told = new Set<string>();
    for (const event of events) counts.set(source(event), (counts.get(source(event)) ?? 0) + 1);
    const listed: { event: Happened; count: number }[] = [];
    for (const event of events) {
      const from = source(event), count = counts.get(from)!;
      const one = count <= MANY || this.unfolded.has(from);
      if (one || !told.has(from)) listed.push({ event, count: one ? 1 : count });
      told.add(from);
    }
    return listed;
  }
}

/** The block and the kind of what it tells. */
function source(event: Happened): string {
  return `${event.kind} ${event.path}`;
}

function row(event: Happened, count: number): HTMLElement {
  const at = element("button", { type: "button", title: "go there" }, number(event.time));
  const all = count > 1 ? element("button", { type: "button", title: "list each of them" }, `${count} times`) : event.detail;
  if (typeof all !== "string") all.dataset.unfold = source(event);
  const made = element("tr", {}, ...[at, event.path, event.kind, all].map((cell) => element("td", {}, cell)));
  made.dataset.time = String(event.time);
  return made;
}
