// Colours: those of blockdyn's figures (Okabe and Ito, Color Universal Design, 2008), on light and on dark.

import { Around } from "../page/around";

export interface Colours {
  dark: boolean;
  lines: string[];
  text: string;
  grid: string;
  event: string;
  playhead: string;
}

const LIGHT: Colours = {
  dark: false,
  lines: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"],
  text: "#4a525c",
  grid: "#e7eaee",
  event: "rgba(105, 114, 125, 0.35)",
  playhead: "#d1242f",
};

const DARK: Colours = {
  dark: true,
  lines: ["#4fb0ea", "#ff8c42", "#2fc79a", "#e6a3c9", "#f2b632", "#9bd3f5", "#e8eaed"],
  text: "#aeb6c0",
  grid: "#2b323b",
  event: "rgba(174, 182, 192, 0.35)",
  playhead: "#ff6b6b",
};

export const DASHES = [[], [7, 3], [2, 2], [7, 3, 2, 3]];

const PAPER = 680; // A4 between margins of 15 mm, pixels

/** Which of the two the page shows: what was chosen, else what is around it. */
export class Appearance {
  private chosen: boolean | null = null;
  private printing = false;

  private readonly around: Around;

  constructor(private readonly root: HTMLElement, private readonly changed: () => void) {
    this.around = new Around(root, () => this.apply());
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    this.apply();
  }

  get colours(): Colours {
    return !this.printing && (this.chosen ?? this.around.dark) ? DARK : LIGHT;
  }

  get paper(): number {
    return this.printing ? PAPER : 0;
  }

  toggle(): void {
    this.chosen = !this.colours.dark;
    this.apply();
  }

  private print(on: boolean): void {
    this.printing = on;
    this.apply();
  }

  private apply(): void {
    this.root.dataset.theme = this.colours.dark ? "dark" : "light";
    this.changed();
  }
}
