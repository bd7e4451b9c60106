// Series: one line's samples, with a pyramid of lowest and highest that lets a million be drawn by a few thousand.

const FACTOR = 4; // blocks of a level that make one of the next

interface Level {
  low: Int32Array;
  high: Int32Array;
  count: number;
}

export class Series {
  time: Float64Array;
  values: Float64Array | Float32Array;
  count: number;
  /** Samples that are no numbers: the line breaks there. */
  private gaps: number[] = [];
  private levels: Level[] = [];

  constructor(time: Float64Array, values: Float64Array | Float32Array, readonly stepped: boolean) {
    this.time = time;
    this.values = values;
    this.count = time.length;
    this.grow(0);
  }

  append(time: ArrayLike<number>, values: ArrayLike<number>): void {
    const from = this.count, to = from + time.length;
    if (to > this.time.length) {
      this.time = larger(this.time, to);
      this.values = larger(this.values, to);
    }
    this.time.set(time, from);
    this.values.set(values, from);
    this.count = to;
    this.grow(from);
  }

  /** Forget what came after t. */
  cut(t: number): void {
    this.shorten(this.after(t));
  }

  private shorten(count: number): void {
    this.count = count;
    this.gaps = this.gaps.filter((i) => i < this.count);
    let blocks = this.count;
    for (const level of this.levels) {
      blocks = Math.floor(blocks / FACTOR);
      level.count = Math.min(level.count, blocks);
    }
  }

  /** Put these samples in the place of those within [from, to]. */
  replace(from: number, to: number, time: ArrayLike<number>, values: ArrayLike<number>): void {
    let first = this.after(from);
    while (first > 0 && this.time[first - 1] >= from) first--;
    const rest = this.after(to), later = this.time.slice(rest, this.count), laterValues = this.values.slice(rest, this.count);
    this.shorten(first);
    this.append(time, values);
    this.append(later, laterValues);
  }

  /** How many samples are at or before t. */
  after(t: number): number {
    let low = 0, high = this.count;
    while (low < high) {
      const half = (low + high) >> 1;
      if (this.time[half] <= t) low = half + 1;
      else high = half;
    }
    return low;
  }

  /** The value at t, from the right at an event; NaN before the first sample, and the last one goes on. */
  at(t: number): number {
    const next = this.after(t), i = next - 1;
    if (i < 0) return NaN;
    if (this.stepped || this.time[i] === t || next >= this.count) return this.values[i];
    const part = (t - this.time[i]) / (this.time[next] - this.time[i]);
    return this.values[i] + part * (this.values[next] - this.values[i]);
  }

  /** The samples that draw [t0, t1] on so many columns of pixels: no peak is lost, and no edge leans. */
  pick(t0: number, t1: number, columns: number): number[] {
    const from = Math.max(0, this.after(t0) - 1), to = Math.min(this.count - 1, this.after(t1));
    const picked: number[] = [];
    const depth = Math.min(this.levels.length, Math.ceil(Math.log((to - from) / columns) / Math.log(FACTOR)));
    if (!(depth > 0)) {
      for (let i = from; i <= to; i++) picked.push(i);
      return picked;
    }
    const level = this.levels[depth - 1], size = FACTOR ** depth, width = (2 * (t1 - t0)) / columns;
    const first = Math.ceil(from / size), last = Math.min(level.count, Math.floor((to + 1) / size));
    for (let i = from; i < Math.min(first * size, to + 1); i++) picked.push(i);
    for (let block = first; block < last; block++) this.pickBlock(depth, block, width, picked);
    for (let i = Math.max(last * size, from); i <= to; i++) picked.push(i);
    return this.withGaps(picked, from, to, columns);
  }

  /** The lowest and highest sample of a block; of one that is wider than two pixels, of its parts. */
  private pickBlock(depth: number, block: number, width: number, picked: number[]): void {
    const size = FACTOR ** depth, start = block * size;
    if (depth === 0) picked.push(block);
    else if (this.time[start + size - 1] - this.time[start] > width) {
      for (let k = 0; k < FACTOR; k++) this.pickBlock(depth - 1, FACTOR * block + k, width, picked);
    } else {
      const low = this.levels[depth - 1].low[block], high = this.levels[depth - 1].high[block];
      picked.push(Math.min(low, high));
      if (low !== high) picked.push(Math.max(low, high));
    }
  }

  private withGaps(picked: number[], from: number, to: number, most: number): number[] {
    const gaps = this.gaps.filter((i) => i >= from && i <= to);
    if (!gaps.length || gaps.length > most) return picked;
    return [...new Set([...picked, ...gaps])].sort((a, b) => a - b);
  }

  /** Bring the pyramid up to the samples, of which those from `from` on are new. */
  private grow(from: number): void {
    for (let i = from; i < this.count; i++) if (Number.isNaN(this.values[i])) this.gaps.push(i);
    let below = this.count;
    for (let depth = 0; below >= FACTOR; depth++) {
      const blocks = Math.floor(below / FACTOR);
      const level = (this.levels[depth] ??= { low: new Int32Array(0), high: new Int32Array(0), count: 0 });
      if (blocks > level.low.length) {
        level.low = larger(level.low, blocks);
        level.high = larger(level.high, blocks);
      }
      for (let block = level.count; block < blocks; block++) this.fill(level, block, this.levels[depth - 1]);
      level.count = blocks;
      below = blocks;
    }
  }

  private fill(level: Level, block: number, below: Level | undefined): void {
    const start = FACTOR * block, values = this.values;
    let low = below ? below.low[start] : start, high = below ? below.high[start] : start;
    for (let k = start + 1; k < start + FACTOR; k++) {
      const l = below ? below.low[k] : k, h = below ? below.high[k] : k;
      if (!(values[l] >= values[low])) low = Number.isNaN(values[l]) ? low : l;
      if (!(values[h] <= values[high])) high = Number.isNaN(values[h]) ? high : h;
    }
    level.low[block] = low;
    level.high[block] = high;
  }
}

function larger<A extends Float64Array | Float32Array | Int32Array>(array: A, least: number): A {
  const grown = new (array.constructor as new (length: number) => A)(Math.max(least, 2 * array.length, 256));
  grown.set(array);
  return grown;
}
