// Live: a run that goes on while one looks, in a tab of the results: the page of live runs, in the studio's connection.

import { button, element } from "../page/element";
import type { Link } from "../live/link";
import { Live } from "../live/live";
import type { Asked, Told } from "../live/messages";
import type { Message, Model } from "./model";
import type { RunPane } from "./run";
import type { Tab } from "./tray";

export class LiveRunTab {
  private live: Live | null = null;
  private tab: Tab | null = null;
  private readonly older = element("p", { class: "older", role: "status", hidden: true }, "The diagram has changed since this run began. ",
    button("Begin again", "a live run of the diagram as it is now", () => this.start()));
  private version = 0;

  constructor(private readonly model: Model, private readonly run: RunPane) {
    model.binary = (view) => this.live?.binary(view);
    model.watch("message", (message) => {
      if (message?.type === "live") this.live?.told(message.message as Told);
      else if (message?.type === "error" && message.about === "live") this.close();
    });
    model.watch("state", () => (this.older.hidden = !this.live || model.state?.version === this.version));
    model.watch("reached", () => this.live?.connected(model.reached, 0));
  }

  /** Begin a live run of the diagram as it is. */
  start(): void {
    const { model, run } = this;
    this.close();
    const root = element("div", { class: "alive" }), place = element("div", {}, this.older, root);
    run.show(true);
    this.tab = run.tray.add("Live", place, { closed: () => this.end() });
    run.tray.choose(this.tab);
    this.live = new Live(root, root);
    this.live.open((): Link => ({ send: (message: Asked) => model.send({ type: "live", message } as Message), close: () => {} }));
    model.flush();
    const begin = () => {
      this.version = model.state?.version ?? 0;
      this.older.hidden = true;
      model.send({ type: "live", begin: true, stop: run.end() });
    };
    if (model.idle) begin();
    else model.then(begin);
  }

  private close(): void {
    if (this.tab) this.run.tray.remove(this.tab);
  }

  private end(): void {
    this.live?.close();
    this.live = null;
    this.tab = null;
    this.model.send({ type: "live" });
  }
}
