// Reading: values and places of the text of a diagram, by the editor's own grammar of YAML.

import type { SyntaxNode, Tree } from "@lezer/common";
import { parser } from "@lezer/yaml";

export interface Entry { name: string; from: number; to: number; value: SyntaxNode | null }

export class Reading {
  private readonly tree: Tree;
  private readonly root: Entry[]; // sections of the diagram at the level
  /** The sections of the outermost diagram. */
  private readonly top: Entry[];
  /** The blocks of the diagram at a level, with the characters of their entries. */
  readonly blocks: Map<string, Entry>;

  constructor(readonly text: string, readonly level = "") {
    this.tree = parser.parse(text);
    const top = this.tree.topNode.getChild("Document")?.firstChild ?? null;
    this.root = this.top = entries(this.content(top), text);
    for (const name of level ? level.split("/") : []) {
      const block = this.inner(this.inner(this.root, "blocks"), name);
      this.root = this.inner(block, "diagram");
    }
    this.blocks = new Map(this.inner(this.root, "blocks").map((entry) => [entry.name, entry]));
  }

  private inner(among: Entry[], name: string): Entry[] {
    return entries(this.content(among.find((entry) => entry.name === name)?.value ?? null), this.text);
  }

  /** The block in whose entry a character stands. */
  blockAt(at: number): string | null {
    for (const { name, from, to } of this.blocks.values()) if (from <= at && at <= to) return name;
    return null;
  }

  /** A block's entry as it is written, from column 0, with the comments above and behind it. */
  written(name: string): string {
    const entry = this.blocks.get(name);
    if (!entry) return "";
    const begin = this.text.lastIndexOf("\n", entry.from - 1) + 1, alone = !this.text.slice(begin, entry.from).trim();
    const comment = alone ? /^[ \t]*#[^\n]*/.exec(this.text.slice(entry.to))?.[0] ?? "" : "";
    const column = alone ? entry.from - begin : 0, above = alone ? /(?:(?<=^|\n)[ \t]*#[^\n]*\n)*$/.exec(this.text.slice(0, begin))?.[0] ?? "" : "";
    return above.replace(/^[ \t]+/gm, "") + (this.text.slice(entry.from, entry.to).trimEnd() + comment).split("\n").map((line, k) => (k ? line.slice(Math.min(column, line.length - line.trimStart().length)) : line)).join("\n");
  }

  /** What a block's entry says, as JSON has it. */
  data(name: string): Record<string, unknown> | null {
    const value = this.value(this.blocks.get(name)?.value ?? null);
    return value && typeof value === "object" && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  }

  /** A value of a block, or of a section, to the letter where it is one line. */
  letters(holder: string, name: string, section = false): string | undefined {
    const mapping = section ? this.root.find((entry) => entry.name === holder) : this.blocks.get(holder);
    const value = entries(this.content(mapping?.value ?? null), this.text).find((entry) => entry.name === name)?.value;
    if (!value) return undefined;
    const text = this.text.slice(value.from, value.to);
    return text.includes("\n") ? written(this.value(value)) : text;
  }

  /** Paths of the numbers: `kp` of the diagram, `gain.k` of blocks. */
  parameters(): string[] {
    const own = Object.keys((this.section("parameters") ?? {}) as object), numbers = (value: unknown) => typeof value === "number";
    return [...own, ...[...this.blocks.keys()].flatMap((name) => Object.entries(this.data(name) ?? {}).filter(([, value]) => numbers(value)).map(([key]) => `${name}.${key}`))];
  }

  section(name: string): unknown {
    return this.value(this.root.find((entry) => entry.name === name)?.value ?? null);
  }

  /** A section of the outermost diagram. */
  outermost(name: string): unknown {
    return this.value(this.top.find((entry) => entry.name === name)?.value ?? null);
  }

  private value(node: SyntaxNode | null): unknown {
    const content = this.content(node);
    if (!content) return null;
    if (/Mapping/.test(content.name)) {
      return Object.fromEntries(entries(content, this.text).map((entry) => [entry.name, this.value(entry.value)]));
    }
    if (/Sequence/.test(content.name)) return content.getChildren("Item").map((item) => this.value(item.firstChild && inner(item)));
    return scalar(this.text.slice(content.from, content.to));
  }

  /** A node without what only marks it: anchors, tags, documents. */
  private content(node: SyntaxNode | null): SyntaxNode | null {
    if (node?.name === "Tagged" || node?.name === "Anchored") return this.content(node.lastChild);
    return node;
  }
}

const MARKS = new Set(["-", ":", ",", "?", "Comment", "[", "]", "{", "}", "Tag", "Anchor"]);

function inner(item: SyntaxNode): SyntaxNode | null {
  for (let node = item.firstChild; node; node = node.nextSibling) if (!MARKS.has(node.name)) return node;
  return null;
}

function entries(mapping: SyntaxNode | null, text: string): Entry[] {
  if (!mapping || !/Mapping/.test(mapping.name)) return [];
  return mapping.getChildren("Pair").flatMap((pair) => {
    const key = pair.getChild("Key");
    if (!key) return [];
    let value: SyntaxNode | null = null;
    for (let node = key.nextSibling; node; node = node.nextSibling) if (!MARKS.has(node.name)) value = node;
    return [{ name: String(scalar(text.slice(key.from, key.to))), from: pair.from, to: pair.to, value }];
  });
}

/** A scalar of YAML 1.2's core schema. */
export function scalar(text: string): unknown {
  const plain = text.trim();
  if (plain.startsWith('"')) try { return JSON.parse(plain); } catch { return plain.slice(1, -1); }
  if (plain.startsWith("'")) return plain.slice(1, -1).replaceAll("''", "'");
  if (/^(true|false)$/i.test(plain)) return plain.toLowerCase() === "true";
  if (plain === "" || plain === "~" || /^null$/i.test(plain)) return null;
  if (/^[-+]?(\d[\d_]*\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(plain)) return Number(plain.replaceAll("_", ""));
  return plain;
}

/** A value as one line, as a field shows it. */
export function written(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value as object).map(([name, part]) => `${name}: ${written(part)}`).join(", ")}}`;
  }
  return String(value);
}
