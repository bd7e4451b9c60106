// Dial: the words of an image that follow from the number of a slider.

import { doubles } from "../page/coded";
import type { Slider } from "./data";
import type { Change } from "./engine";

export class Dial {
  /** The number, or where it is not free the nearest one that the page has. */
  value: number;

  private constructor(readonly slider: Slider, private readonly table: BigInt64Array | null) {
    this.value = slider.value;
  }

  static async of(slider: Slider): Promise<Dial> {
    const { table } = slider;
    return new Dial(slider, table && new BigInt64Array((await doubles(table.values)).buffer));
  }

  get moved(): boolean {
    return this.value !== this.slider.value;
  }

  turn(value: number): void {
    const { low, high, table } = this.slider;
    if (value === this.slider.value) this.value = value;
    else this.value = table ? low + Math.round(this.place(value)) * ((high - low) / (table.count - 1)) : Math.min(Math.max(value, low), high);
  }

  get change(): Change {
    const { words } = this.slider;
    if (!this.table) return { words, values: new BigInt64Array(new Float64Array(words.length).fill(this.value).buffer) };
    const row = Math.round(this.place(this.value)) * words.length;
    return { words, values: this.table.subarray(row, row + words.length) };
  }

  /** The row of a number, with a fraction. */
  private place(value: number): number {
    const { low, high, table } = this.slider;
    return Math.min(Math.max((value - low) / (high - low), 0), 1) * (table!.count - 1);
  }
}
