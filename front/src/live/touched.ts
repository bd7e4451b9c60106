// Touched: what was changed by hand and when, which is what must be known to run it again.

import { element, number } from "../page/element";

export class Touched {
  readonly root = element("section", { class: "touched" });
  private readonly body = element("tbody");

  constructor() {
    const head = ["time, s", "what", "value"].map((name) => element("th", { scope: "col" }, name));
    const table = element("table", {}, element("thead", {}, element("tr", {}, ...head)), this.body);
    const list = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "what was touched" }, table);
    this.root.append(element("h2", {}, "Touched"), list);
    this.root.hidden = true;
  }

  tell(touched: [number, string, number][]): void {
    this.root.hidden = touched.length === 0;
    this.body.replaceChildren(...touched.toReversed().map((row) => (
      element("tr", {}, ...[number(row[0]), row[1], number(row[2])].map((text) => element("td", {}, text)))
    )));
  }
}
