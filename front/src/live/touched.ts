// Touched: what was changed by hand and when, which is what must be known to run it again.

import { element, number } from "../page/element";
import { Seldom } from "../page/seldom";

type Touch = [time: number, path: string, value: number | string];

function same(one: Touch, other: Touch): boolean {
  return one[0] === other[0] && one[1] === other[1] && String(one[2]) === String(other[2]);
}

export class Touched {
  readonly root = element("section", { class: "touched" });
  private readonly body = element("tbody");
  private readonly written = new Seldom(() => this.write());
  private touched: Touch[] = [];
  private listed: Touch[] = []; // the rows of the table, from its end

  constructor() {
    const head = ["time (s)", "signal or parameter", "value"].map((name) => element("th", { scope: "col" }, name));
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), this.body);
    const list = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "changes during the run" }, table);
    this.root.append(element("h2", {}, "Changes during the run"), list);
    this.root.hidden = true;
  }

  /** The latest touches in the order of time; a slider that is moved adds one a picture. */
  tell(touched: Touch[]): void {
    this.touched = touched;
    this.written.want();
  }

  private write(): void {
    const { touched, body, listed } = this;
    this.root.hidden = touched.length === 0;
    const dropped = touched.length ? listed.findIndex((row) => same(row, touched[0])) : -1;
    if (dropped < 0) body.replaceChildren();
    else for (let k = 0; k < dropped; k++) body.lastChild!.remove();
    const before = dropped < 0 ? [] : listed.slice(dropped);
    let kept = 0;
    while (kept < before.length && kept < touched.length && same(before[kept], touched[kept])) kept++;
    for (let k = kept; k < before.length; k++) body.firstChild!.remove();
    for (const row of touched.slice(kept)) {
      const value = typeof row[2] === "string" ? row[2] : number(row[2]);
      const texts = [number(row[0]), row[1], value];
      body.prepend(element("tr", {}, ...texts.map((text) => element("td", {}, text))));
    }
    this.listed = touched;
  }
}
