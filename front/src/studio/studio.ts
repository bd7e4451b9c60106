// Studio: the page on which a diagram is drawn, written and run; its text on the server is the only model.

import { type Listener, type Model as WidgetModel, SocketLink, WidgetLink } from "../live/link";
import { button, element, write } from "../page/element";
import { Appearance } from "../scopes/colours";
import { Analyses } from "./analyses";
import { Canvas, type PortPlace } from "./canvas";
import { Chooser } from "./chooser";
import { Commands } from "./commands";
import { Gestures } from "./gestures";
import { Inspector } from "./inspector";
import { LiveRunTab } from "./live";
import { isOpen, type Message, Model } from "./model";
import { Palette } from "./palette";
import { BlockCard, Problems } from "./problems";
import { RunPane } from "./run";
import { TextPane } from "./text";

const BRIEFLY = 7000; // ms that a message is seen
const LOST = "The studio's process does not answer; what is written waits until it does. The terminal that started it tells more.";

/** Show the studio that is served beside this page. */
export function start(root: HTMLElement): void {
  const address = new URL("socket", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const model = show(root, window, (listener) => new SocketLink<Message, Message>(address.href, listener));
  addEventListener("beforeunload", (event) => {
    if (!model.idle) event.preventDefault();
  });
}

/** Show the studio of a widget in a notebook; returns what takes it away. */
export function render({ model, el }: { model: WidgetModel<Message>; el: HTMLElement }): () => void {
  const root = element("div", { class: "blockdyn cell", tabindex: "-1", "data-lm-suppress-shortcuts": "true" });
  let link: WidgetLink<Message, Message> | null = null;
  el.append(root);
  show(root, root, (listener) => (link = new WidgetLink<Message, Message>(model, listener)));
  root.addEventListener("keydown", (event) => event.stopPropagation()); // those of the notebook are not meant
  return () => link?.close();
}

function show(root: HTMLElement, around: Window | HTMLElement, connect: (listener: Listener<Message>) => { send(message: Message): void }): Model {
  root.classList.add("studio");
  const model = new Model(connect), canvas = new Canvas(model), problems = new Problems(model);
  const text = new TextPane(model, canvas, problems);
  let paint = () => {}; // the appearance tells at once
  const appearance = new Appearance(root, () => paint());
  const run = new RunPane(model, canvas, appearance, (on) => root.classList.toggle("running", on), () => {
    const simulate = text.reading.outermost("simulate");
    return simulate !== null && typeof simulate === "object" && "stop" in simulate;
  });
  const inspector = new Inspector(model, text, problems), chooser = new Chooser(root);
  const palette = new Palette(model, canvas, (words, at, wire) => commands.insert(words, at, wire));
  const gestures = new Gestures(model, canvas, (at, screen, from: PortPlace | null) => {
    const { left, top } = canvas.svg.getBoundingClientRect();
    commands.quick(at, [screen[0] + left, screen[1] + top], from);
  }, (screen) => commands.menu(screen));
  const analyses = new Analyses(model, run, chooser, appearance, () => text.reading.parameters());
  const live = new LiveRunTab(model, run);
  paint = () => {
    run.paint();
    analyses.paint();
  };
  new BlockCard(model, canvas, problems, (error) => inspector.go(error), () => run.errors);
  gestures.carried = (wire, over) => {
    const taken = run.root.contains(over);
    if (taken) run.pick(wire);
    return taken;
  };
  const toggle = (pane: "palette" | "side") => root.classList.toggle(`no-${pane}`);
  const commands = new Commands({
    model, canvas, gestures, text, palette, run, analyses, live, chooser, toggle, theme: () => appearance.toggle(),
    inspect: () => {
      root.classList.remove("no-side");
      inspector.focus();
    },
  }, around);
  const side = element("div", { class: "side" }, inspector.root, handle("row", root, "--inspector", "height of the inspector"), text.root);
  root.append(
    bar(model, commands),
    palette.root, handle("left", root, "--palette", "width of the palette"),
    element("div", { class: "middle" }, canvas.root, handle("run", root, "--run", "height of the scopes"), run.root),
    handle("right", root, "--side", "width of inspector and text"), side,
    messages(model), conflict(model),
  );
  model.watch("reached", () => {
    root.classList.toggle("lost", !model.reached);
    if (model.reached && model.state) void palette.open();
  });
  model.watch("state", () => (root.dataset.ready = "true"));
  return model;
}

/** The name of the diagram, and the commands that are at hand. */
function bar(model: Model, commands: Commands): HTMLElement {
  const name = element("h1"), file = element("span", { class: "file" }), problems = element("button", { type: "button", class: "problems", hidden: true });
  const buttons: [HTMLButtonElement, string][] = [];
  const at = (command: string, label: string, ...classes: string[]) => {
    const entry = commands.find(command), key = entry.keys[0], made = button(label, key ? `${entry.name} (${key})` : entry.name, () => commands.do(entry));
    made.classList.add(...classes);
    buttons.push([made, command]);
    return made;
  };
  const tell = () => {
    for (const [made, command] of buttons) made.disabled = !(commands.find(command).can?.() ?? true);
    const { state } = model;
    if (!state) return write(name, "connecting \u2026");
    write(name, state.name || "diagram");
    write(file, `${state.file?.split("/").pop() ?? "no file yet"}${state.saved ? "" : ", not saved"}`);
    file.title = state.file ?? "";
    file.classList.toggle("unsaved", !state.saved);
    document.title = `${state.saved ? "" : "\u2022 "}${state.name || "diagram"}`;
    const count = state.errors.filter((error) => !isOpen(error)).length;
    problems.hidden = state.errors.length === 0;
    problems.classList.toggle("open", count === 0);
    write(problems, count === 0 ? "inputs are open" : `${count} ${count === 1 ? "error" : "errors"}`);
  };
  problems.addEventListener("click", () => model.select([])); // the inspector lists them then
  for (const topic of ["state", "selection", "reached"] as const) model.watch(topic, tell);
  tell();
  return element("header", { class: "top" },
    element("div", { class: "named" }, name, file, problems),
    element("div", { class: "acts", role: "toolbar", "aria-label": "commands" },
      at("Save", "Save"), at("Undo", "\u21b6", "glyph"), at("Redo", "\u21b7", "glyph"), element("i"),
      at("Insert block", "Insert"), at("Wire two ports", "Wire"), at("Lay out all blocks", "Lay out"), at("Fit diagram", "Fit"), element("i"),
      at("Commands, blocks", "Ctrl K", "quiet"), at("Light or dark", "\u25d0", "glyph"), at("Live: pace, pause, sliders, pushes", "Live"), at("Run", "\u25b6 Run", "go")));
}

/** A bar between two panes, which is dragged or moved by arrows. */
function handle(kind: "left" | "right" | "row" | "run", root: HTMLElement, variable: string, label: string): HTMLElement {
  const across = kind === "left" || kind === "right", way = kind === "left" || kind === "row" ? 1 : -1;
  const made = element("div", { class: `handle ${kind}`, role: "separator", tabindex: "0", "aria-label": label, "aria-orientation": across ? "vertical" : "horizontal" });
  const size = () => parseFloat(getComputedStyle(root).getPropertyValue(variable)) || 200;
  const set = (value: number) => {
    const size = Math.round(Math.max(90, Math.min(value, (across ? innerWidth : innerHeight) * 0.7)));
    root.style.setProperty(variable, `${size}px`);
    made.setAttribute("aria-valuenow", String(size));
  };
  made.addEventListener("pointerdown", (event) => {
    const from = across ? event.clientX : event.clientY, was = size();
    made.setPointerCapture(event.pointerId);
    made.onpointermove = (moved) => set(was + way * ((across ? moved.clientX : moved.clientY) - from));
    made.onpointerup = () => (made.onpointermove = null);
  });
  made.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    set(size() + 20 * way * by);
  });
  return made;
}

/** What has to be said, for a while. */
function messages(model: Model): HTMLElement {
  const made = element("p", { class: "toast", role: "status", hidden: true });
  let timer = 0;
  const say = (text: string, stays: boolean) => {
    write(made, text);
    made.hidden = !text;
    clearTimeout(timer);
    if (text && !stays) timer = window.setTimeout(() => (made.hidden = true), BRIEFLY);
  };
  model.watch("said", () => say(model.saying, false));
  model.watch("reached", () => say(model.reached ? "" : LOST, true));
  made.addEventListener("click", () => (made.hidden = true));
  return made;
}

/** The file was changed by others while there are changes here. */
function conflict(model: Model): HTMLElement {
  const dialog = element("dialog", { class: "conflict", "aria-labelledby": "conflict-title" });
  const theirs = element("pre", { tabindex: "0", "aria-label": "the file on disk" });
  const act = (label: string, title: string, message: Message | null) => button(label, title, () => {
    dialog.close();
    if (message) model.change(message);
  });
  dialog.append(element("h2", { id: "conflict-title" }, "The file has changed on disk"),
    element("p", {}, "Another program wrote to it, and there are changes here that are not saved."), theirs,
    element("div", { class: "acts" }, act("Keep mine", "write what is here over the file", { type: "save", overwrite: true }),
      act("Take theirs", "take the file as it is; Undo brings mine back", { type: "reload" }), act("Decide later", "leave both as they are", null)));
  model.watch("message", (message) => {
    if (message?.type !== "conflict") return;
    theirs.textContent = String(message.text);
    if (!dialog.open) dialog.showModal();
  });
  return dialog;
}
