// Live: the page of a run that goes on, served on this machine (`start`) or in a notebook (`render`).

import { element } from "../page/element";
import { Appearance } from "../scopes/colours";
import { type Link, type Listener, type Model, SocketLink, WidgetLink } from "./link";
import { parsed, type Told } from "./messages";
import { Page } from "./page";

const BRIEFLY = 6000; // ms that an error is seen
const LOST = "The connection to the run is lost; trying again.";
const SILENT =
  "The run does not answer: its process may have been killed, or its computer may be asleep. The terminal that started it" +
  " tells. What is shown here stays, and this page goes on trying.";

const QUIET = 3000; // ms without a word from a run that goes on, after which that is said
const NOTHING =
  "Nothing has come from the run for some seconds: it computes something long, or its process is stopped. This page goes on" +
  " when it does.";

/** What is seen of a run, made anew at every connection. */
export class Live implements Listener {
  private readonly banner = element("p", { class: "banner", role: "status", hidden: true });
  private readonly title = element("h1", {}, "connecting ...");
  private readonly appearance: Appearance;
  private page: Page | null = null;
  private link: Link | null = null;
  private over = false;
  private heard = 0; // when something came from the run last
  private readonly watch = window.setInterval(() => this.listen(), 500);

  constructor(private readonly root: HTMLElement, private readonly target: Window | HTMLElement) {
    root.append(this.title, this.banner);
    this.appearance = new Appearance(root, () => this.page?.paint(this.appearance));
  }

  open(link: (listener: Listener) => Link): void {
    this.link = link(this);
  }

  told(message: Told): void {
    this.spoken();
    if (message.type === "hello") {
      this.page?.dispose();
      this.page?.root.remove();
      this.title.textContent = message.title;
      if (this.target === window) document.title = message.title;
      this.page = new Page(message, (asked) => this.link?.send(asked), this.appearance, this.target);
      this.root.append(this.page.root);
      this.page.opened();
      this.root.dataset.ready = "true";
    } else if (message.type === "state") this.page?.state(message);
    else if (message.type === "events") this.page?.happened(message.events);
    else if (message.type === "drawing") this.page?.drawn(message.svg);
    else if (message.type === "truncate") this.page?.truncate(message.time);
    else if (message.type === "error") this.say(message.text, BRIEFLY);
    else if (message.type === "ended") {
      this.over = true;
      this.page?.reached(false);
      this.say(message.text);
    }
  }

  binary(view: DataView): void {
    this.spoken();
    const message = parsed(view);
    if (message?.kind === 1) this.page?.picture(message);
    else if (message?.kind === 2) this.page?.range(message);
    else if (message) this.page?.path(message);
  }

  connected(on: boolean, failed: number): void {
    if (this.over) return;
    if (on) this.banner.hidden = true;
    else this.say(failed ? SILENT : LOST);
    this.root.classList.toggle("lost", !on);
    this.page?.reached(on);
  }

  close(): void {
    clearInterval(this.watch);
    this.link?.close();
    this.page?.dispose();
  }

  private spoken(): void {
    this.heard = performance.now();
    if (!this.banner.hidden && this.banner.textContent === NOTHING) this.banner.hidden = true;
  }

  /** A tab that nobody sees draws nothing, and so is told nothing. */
  private listen(): void {
    if (document.hidden || !this.page?.goes) this.heard = performance.now();
    else if (performance.now() - this.heard > QUIET && this.banner.hidden) this.say(NOTHING);
  }

  private say(text: string, during = 0): void {
    this.banner.textContent = text;
    this.banner.hidden = false;
    if (during) setTimeout(() => {
      if (this.banner.textContent === text && !this.over) this.banner.hidden = true;
    }, during);
  }
}

/** Show the run that is served beside this page. */
export function start(root: HTMLElement): void {
  const address = new URL("socket", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  new Live(root, window).open((listener) => new SocketLink(address.href, listener));
}

/** Show the run of a widget; returns what takes it away. */
export function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const root = element("div", { class: "blockdyn", tabindex: "-1", "data-lm-suppress-shortcuts": "true" });
  root.addEventListener("keydown", (event) => event.stopPropagation()); // JupyterLab takes the arrows of sliders
  el.append(root);
  const live = new Live(root, root);
  live.open((listener) => new WidgetLink(model, listener));
  return () => live.close();
}
