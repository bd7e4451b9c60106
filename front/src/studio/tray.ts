// Tray: the pane below the canvas; its tabs hold the run, a live run, and analyses.

import { button, element } from "../page/element";

export interface Tab { button: HTMLButtonElement; panel: HTMLElement; shown: () => void; closed: () => void }

let count = 0;

export class Tray {
  private readonly list = element("div", { class: "tabs", role: "tablist", "aria-label": "results" });
  private readonly panels = element("div", { class: "panels" });
  readonly root = element("section", { class: "run", "aria-label": "results", hidden: true },
    element("header", { class: "tabbar" }, this.list, button("\u00d7", "close the results", () => this.show(false))), this.panels);
  private tabs: Tab[] = [];
  private current: Tab | null = null;

  constructor(private readonly opened: (on: boolean) => void) {
    this.list.addEventListener("keydown", (event) => {
      const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!way || !this.current) return;
      const { tabs } = this, next = tabs[(tabs.indexOf(this.current) + way + tabs.length) % tabs.length];
      this.choose(next);
      next.button.focus();
      event.preventDefault();
    });
  }

  /** A tab, with a cross where it can be closed. */
  add(title: string, content: HTMLElement, more: { shown?: () => void; closed?: () => void } = {}): Tab {
    const id = `tab-${++count}`, press = element("button", { type: "button", role: "tab", id, "aria-controls": `${id}-panel`, "aria-selected": "false", tabindex: "-1" }, title);
    const panel = element("div", { class: "panel", role: "tabpanel", id: `${id}-panel`, "aria-labelledby": id, hidden: true }, content);
    const tab: Tab = { button: press, panel, shown: more.shown ?? (() => {}), closed: more.closed ?? (() => {}) };
    press.addEventListener("click", () => this.choose(tab));
    const cross = more.closed ? button("\u00d7", `close ${title}`, () => this.remove(tab)) : null;
    this.list.append(element("span", { class: "tab", role: "presentation" }, press, cross));
    this.panels.append(panel);
    this.tabs.push(tab);
    if (!this.current) this.choose(tab);
    return tab;
  }

  choose(tab: Tab): void {
    this.current = tab;
    for (const each of this.tabs) {
      const on = each === tab;
      each.button.setAttribute("aria-selected", String(on));
      each.button.tabIndex = on ? 0 : -1;
      each.panel.hidden = !on;
    }
    tab.shown();
  }

  remove(tab: Tab): void {
    const at = this.tabs.indexOf(tab);
    if (at < 0) return;
    this.tabs.splice(at, 1);
    tab.button.parentElement!.remove();
    tab.panel.remove();
    tab.closed();
    if (this.current === tab) this.choose(this.tabs[Math.max(0, at - 1)]);
  }

  get open(): boolean {
    return !this.root.hidden;
  }

  show(on: boolean): void {
    this.root.hidden = !on;
    this.opened(on);
  }
}
