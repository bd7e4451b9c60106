// Element: parts of a page, made from text and never from HTML.

export type Child = Node | string | null | undefined;

export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Record<string, string | boolean | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function button(text: string, title: string, press: () => void): HTMLButtonElement {
  const made = element("button", { type: "button", title, "aria-label": title }, text);
  made.addEventListener("click", press);
  return made;
}

/** What colours stand for, and what else there is to say. */
export function swatches(key: [label: string, color: string][], more: Child): HTMLElement {
  return element("div", { class: "legend" }, ...key.map(([label, color]) => {
    const swatch = element("i");
    swatch.style.borderTop = `3px solid ${color}`;
    return element("span", {}, swatch, label);
  }), more);
}

/** Set a text, unless it stands there: the page is laid out anew for a new one. */
export function write(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

/** Six digits, without those that say nothing. */
export function number(value: number): string {
  if (Number.isNaN(value)) return "\u2013";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : "-\u221e";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-4)) return value.toExponential(3).replace(/\.?0*e\+?/, "e");
  return String(Number(value.toPrecision(5)));
}

/** kg m^2 as (kg m²). */
export function unitText(unit: string): string {
  const raised = "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
  const text = unit.replace(/\^(-?[0-9]+)/g, (_, power: string) =>
    [...power].map((c) => raised["-0123456789".indexOf(c)]).join(""));
  return text && `(${text})`;
}

/** Whether a key pressed there belongs to the element itself: where one writes all do, of a slider the arrows. */
export function takesKey(target: EventTarget | null, key: string): boolean {
  const place = target instanceof Element ? target.closest("input, select, textarea, button, summary, a") : null;
  if (!place) return false;
  if (place.matches("button, summary, a")) return key === " ";
  return !place.matches("[type=range]") || key.startsWith("Arrow");
}
