// Text: the diagram's file as one may write it, with errors underlined; cursor and selection go together.

import { autocompletion, type CompletionContext, completionKeymap, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, Prec, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { element } from "../page/element";
import type { Canvas } from "./canvas";
import { isOpen, type Message, type Model, type Problem } from "./model";
import type { Problems } from "./problems";
import { Reading } from "./reading";

const SOON = 12, WAIT = 300; // ms after a key before the text is sent, by how long an answer takes
const PAUSE = 900; // ms between keys that are undone one after the other
const LONG = 60_000; // characters that take a tenth of a second to read
const Told = Annotation.define<boolean>();
const markBlocks = StateEffect.define<[from: number, to: number][]>();

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], class: "t-key" },
  { tag: [tags.string, tags.attributeValue], class: "t-string" },
  { tag: [tags.number, tags.bool, tags.null], class: "t-number" },
  { tag: tags.comment, class: "t-comment" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], class: "t-mark" },
  { tag: [tags.keyword, tags.typeName, tags.labelName], class: "t-tag" },
]);

/** The lines of the blocks that are selected. */
const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(set, change) {
    for (const effect of change.effects) if (effect.is(markBlocks)) {
      const builder = new RangeSetBuilder<Decoration>(), { doc } = change.state;
      for (const [from, to] of effect.value) for (let n = doc.lineAt(from).number; n <= doc.lineAt(Math.min(to, doc.length)).number; n++) {
        builder.add(doc.line(n).from, doc.line(n).from, Decoration.line({ class: "t-block" }));
      }
      return builder.finish();
    }
    return set.map(change.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class TextPane {
  readonly root = element("section", { class: "text", "aria-label": "text" });
  private readonly view: EditorView;
  private timer = 0;
  private lastKey = 0; // when somebody wrote last
  private continues = false; // what is sent next goes on from what was sent last
  private typedText = false; // what stands here was typed and is not sent yet
  private chosenHere = false;
  private later = 0;
  private base = 0; // the version of the text that was here before keys were pressed
  private sent: string | null = null;
  reading = new Reading("");

  constructor(private readonly model: Model, private readonly canvas: Canvas, private readonly problems: Problems) {
    this.view = new EditorView({
      parent: this.root,
      state: EditorState.create({
        extensions: [
          lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), bracketMatching(), indentOnInput(),
          highlightSelectionMatches(), EditorView.lineWrapping, yaml(), syntaxHighlighting(colours), lintGutter(), marked,
          autocompletion({ override: [(context) => this.complete(context)], icons: false, maxRenderedOptions: 60 }), keymap.of(completionKeymap),
          Prec.low(keymap.of([...searchKeymap, ...defaultKeymap, indentWithTab, { key: "Escape", run: () => this.leave() }])),
          EditorView.contentAttributes.of({ "aria-label": "text of the diagram", spellcheck: "false" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((change) => change.annotation(Told))) this.typed();
            if (update.selectionSet && !update.docChanged && this.view.hasFocus) this.choose();
          }),
        ],
      }),
    });
    model.flush = () => this.send();
    model.watch("state", () => this.show());
    model.watch("selection", () => this.mark());
    problems.watch(() => this.underline());
  }

  focus(): void {
    this.view.focus();
  }

  /** Put the cursor at a line and column, both from 1. */
  go(line: number, column: number | null): void {
    const { doc } = this.view.state, at = doc.line(Math.max(1, Math.min(line, doc.lines)));
    this.view.dispatch({ selection: { anchor: Math.min(at.to, at.from + Math.max(0, (column ?? 1) - 1)) }, effects: EditorView.scrollIntoView(at.from, { y: "center" }) });
    this.view.focus();
  }

  private leave(): boolean {
    this.canvas.svg.focus();
    return true;
  }

  private typed(): void {
    this.typedText = true;
    clearTimeout(this.timer);
    const now = performance.now();
    if (now - this.lastKey > PAUSE) this.continues = false;
    this.lastKey = now;
    this.timer = window.setTimeout(() => this.send(), this.model.lag < 60 ? SOON : Math.min(WAIT, 3 * this.model.lag));
  }

  /** Words that may stand at the cursor, from the server: it knows the schema and the blocks. */
  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    const { state, pos } = context;
    if (!context.explicit && !context.matchBefore(/[\w=./]$|[-:,{[>] $|^ +$/)) return null;
    const before = state.sliceDoc(0, pos), after = state.sliceDoc(pos);
    const { back, options } = await this.model.ask<Message & { back: number; options: Word[] }>({ type: "complete", before, after }, "candidates");
    if (!options.length) return null;
    return {
      from: pos - back, validFor: /^[\w=./:\[\]-]*$/,
      options: options.map(({ label, detail, info, apply }) => ({ label, detail, info: info || undefined, apply })),
    };
  }

  private send(): void {
    clearTimeout(this.timer);
    if (!this.typedText) return;
    this.typedText = false;
    this.sent = this.view.state.doc.toString();
    this.model.change({ type: "text", text: this.sent, continues: this.continues, version: this.base });
    this.continues = true;
  }

  /** Take the server's text, changing only what differs, unless somebody writes on. */
  private show(): void {
    const { state } = this.model;
    if (!state) return;
    const before = this.view.state.doc.toString(), { text } = state;
    if (!this.typedText && this.model.idle && before !== text) {
      this.continues = false; // it is of others
      let from = 0, low = before.length, lowNew = text.length;
      while (from < low && from < lowNew && before[from] === text[from]) from++;
      while (low > from && lowNew > from && before[low - 1] === text[lowNew - 1]) [low, lowNew] = [low - 1, lowNew - 1];
      this.view.dispatch({ changes: { from, to: low, insert: text.slice(from, lowNew) }, annotations: Told.of(true) });
    }
    const now = this.view.state.doc.toString();
    if (now === text || this.sent === text) this.base = state.version;
    if (this.reading.text !== text || this.reading.level !== this.model.level) this.read(text);
    this.underline();
    this.mark();
  }

  /** A long text is read after the picture of it. */
  private read(text: string): void {
    const { level } = this.model, act = () => (this.reading = new Reading(text, level));
    clearTimeout(this.later);
    if (text.length < LONG) return void act();
    this.later = window.setTimeout(() => {
      act();
      this.model.tell("selection");
    }, 300);
  }

  private underline(): void {
    const { state } = this.model;
    if (this.typedText || !state) return;
    const { doc } = this.view.state;
    this.view.dispatch(setDiagnostics(this.view.state, state.errors.filter(({ line }) => line !== null).map((error) => {
      const fix = this.problems.fix(error), made = diagnostic(error, doc);
      return fix ? { ...made, actions: [{ name: `Fix: ${fix.change}`, apply: fix.apply }] } : made;
    })));
  }

  private mark(): void {
    if (this.typedText || this.view.state.doc.length !== this.reading.text.length) return;
    const ranges: [number, number][] = [];
    for (const { name, from, to } of this.reading.blocks.values()) if (this.model.selected.has(name)) ranges.push([from, to]);
    const effects: StateEffect<unknown>[] = [markBlocks.of(ranges)];
    if (ranges.length && !this.view.hasFocus && !this.chosenHere) effects.push(EditorView.scrollIntoView(ranges[0][0], { y: "nearest", yMargin: 40 }));
    this.view.dispatch({ effects });
  }

  private choose(): void {
    if (this.typedText) return;
    const name = this.reading.blockAt(this.view.state.selection.main.head);
    if (!name || (this.model.selected.size === 1 && this.model.selected.has(name))) return;
    this.chosenHere = true;
    queueMicrotask(() => { // the editor may not be changed within its own update
      this.model.select([name]);
      this.chosenHere = false;
      this.canvas.reveal(name);
    });
  }
}

interface Word { label: string; detail: string; info: string; apply: string }
type Doc = EditorState["doc"];

function diagnostic(error: Problem, doc: Doc): Diagnostic {
  const line = doc.line(Math.max(1, Math.min(error.line!, doc.lines)));
  const first = line.from + (line.text.length - line.text.trimStart().length);
  const from = error.column ? Math.min(line.to, line.from + error.column - 1) : first;
  const word = /^("[^"]*"|[^\s,}\]]+)/.exec(doc.sliceString(from, line.to))?.[0].length ?? 0;
  return { from, to: Math.max(from, error.column ? from + word : line.to), severity: isOpen(error) ? "warning" : "error", message: error.message, source: error.kind };
}
