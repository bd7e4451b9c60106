// Documents: the documentation of a block, with its equations in MathML, and the picture of its response.

import { element } from "../page/element";
import type { Message, Model } from "./model";

export interface DocumentPart { text?: string; code?: string; equations?: string }

const ALLOWED = new Set([
  "div", "table", "tbody", "tr", "td", "span", "code", "math", "mrow", "mi", "mo", "mn", "mtext", "mspace", "msub", "msup", "msubsup", "mfrac",
  "msqrt", "mroot", "mover", "munder", "munderover", "mstyle", "mpadded", "mtable", "mtr", "mtd", "mphantom",
]);
const ATTRIBUTES = new Set(["class", "colspan", "displaystyle", "width", "mathvariant", "stretchy", "fence", "form", "accent", "lspace", "rspace", "columnalign", "largeop", "movablelimits", "separator"]);
const parser = new DOMParser();

/** What the server typesets, without anything but equations. */
function typeset(html: string): HTMLElement {
  const { body } = parser.parseFromString(html, "text/html");
  for (const part of [...body.querySelectorAll("*")]) {
    if (!ALLOWED.has(part.localName)) part.remove();
    else for (const { name } of [...part.attributes]) if (!ATTRIBUTES.has(name)) part.removeAttribute(name);
  }
  const made = element("div", { class: "typeset" });
  made.append(...body.childNodes);
  return made;
}

export function documented(parts: DocumentPart[]): HTMLElement[] {
  return parts.map(({ text, code, equations }) => {
    if (equations !== undefined) return typeset(equations);
    if (code !== undefined) return element("pre", {}, code);
    const made = element("p");
    for (const [k, piece] of text!.split("`").entries()) made.append(k % 2 ? element("code", {}, piece) : piece.replaceAll("\n", " "));
    return made;
  });
}

interface Picture { svg: string; caption: string }

/** The response of a type next to where the pointer rests, drawn once. */
export class ResponseCard {
  readonly root = element("div", { class: "response", role: "tooltip", id: "response-card", hidden: true });
  private readonly pictures = new Map<string, Promise<Picture>>();
  private timer = 0;
  private wanted = "";

  constructor(private readonly model: Model, private readonly after: number) {}

  /** Show the response of a type at an element, after a while; hide it without one. */
  point(kind: string | null, title = "", at?: Element): void {
    clearTimeout(this.timer);
    this.wanted = kind ?? "";
    if (kind && at) this.timer = window.setTimeout(() => void this.show(kind, title, at), this.after);
    else this.root.hidden = true;
  }

  private async show(kind: string, title: string, at: Element): Promise<void> {
    let picture = this.pictures.get(kind);
    if (!picture) this.pictures.set(kind, (picture = this.model.ask<Message & Picture>({ type: "picture", kind }, "response")));
    const { svg, caption } = await picture;
    if (this.wanted !== kind || !at.isConnected) return;
    this.root.replaceChildren(element("b", {}, kind), element("p", {}, title),
      ...(svg ? [element("img", { alt: caption, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}` }), element("p", { class: "quiet" }, caption)] : []));
    this.root.hidden = false;
    const { right, top } = at.getBoundingClientRect();
    this.root.style.left = `${right + 8}px`;
    this.root.style.top = `${Math.max(8, Math.min(top - 10, innerHeight - this.root.offsetHeight - 8))}px`;
  }
}
