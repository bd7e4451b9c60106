// Engine: a run as WebAssembly: its memory, its start with other numbers, its advance in slices.

import { doubles, inflated } from "../page/coded";
import type { Buffer, ImageData } from "./data";

const BEGIN = 0n, ADVANCE = 1n;
export const DONE = 0, PAUSED = 1, FULL = 2; // as in solvers/layout.py
const OTHER_CODE = 20; // as in export/page.py
const PAGE = 65536; // bytes of a page of WebAssembly's memory
const GUARD = 8; // words
const FEW = 200; // steps of the first slice

type Run = (what: bigint, memory: bigint, work: bigint) => bigint;
/** Writes the words that follow from numbers of an image; not 0 if one is beyond a branch of that code. */
type Compute = (image: bigint) => bigint;

/** Words of the image, and other values of theirs. */
export interface Change {
  words: number[];
  values: BigInt64Array;
}

export class Engine {
  private readonly words: BigInt64Array;
  private readonly numbers: Float64Array;
  private readonly guard: BigInt64Array;
  private budget = FEW;

  private constructor(private readonly image: ImageData, private readonly start: BigInt64Array, memory: WebAssembly.Memory,
    private readonly run: Run, private readonly compute: Compute) {
    this.words = new BigInt64Array(memory.buffer, image.stack, image.bytes / 8);
    this.numbers = new Float64Array(memory.buffer, image.stack, image.bytes / 8);
    this.guard = new BigInt64Array(memory.buffer, image.guard, GUARD);
    for (const word of image.addresses) start[word] += BigInt(image.stack);
  }

  static async load(image: ImageData): Promise<Engine> {
    const [code, words] = await Promise.all([inflated(image.code), doubles(image.words)]);
    const memory = new WebAssembly.Memory({ initial: Math.ceil((image.stack + image.bytes) / PAGE) });
    const { instance } = await WebAssembly.instantiate(code, { env: environment(memory, image.stack) });
    return new Engine(image, new BigInt64Array(words.buffer), memory,
      instance.exports.run as Run, instance.exports.compute as Compute);
  }

  /** Begin a run with other words. Returns its status. */
  begin(changes: Iterable<Change>): number {
    this.words.set(this.start);
    let changed = false;
    for (const { words, values } of changes) {
      words.forEach((word, k) => this.words[word] = values[k]);
      changed = true;
    }
    if (changed && this.compute(BigInt(this.image.stack)) !== 0n) return OTHER_CODE;
    return this.call(BEGIN) || PAUSED;
  }

  /** Go on for some milliseconds at most. Returns the status. */
  advance(milliseconds: number): number {
    const end = performance.now() + milliseconds;
    let status = PAUSED, began = performance.now();
    do {
      this.words[this.image.budget] = BigInt(this.budget);
      status = this.call(ADVANCE);
      const now = performance.now();
      if (status === PAUSED) this.budget = Math.max(1, Math.min(1e6, Math.round(this.budget * Math.min(4, 2 / Math.max(now - began, 0.01)))));
      began = now;
    } while (status === PAUSED && began < end);
    return status;
  }

  /** The rows since the last time; their memory is free again. */
  rows(): Float64Array {
    return this.emptied(this.image.log, this.image.rows);
  }

  events(): Float64Array {
    return this.emptied(this.image.events, this.image.eventRows);
  }

  get time(): number {
    return this.numbers[this.image.time];
  }

  /** The instant of what went wrong, s. */
  get trouble(): number {
    return this.numbers[this.image.trouble];
  }

  private call(what: bigint): number {
    const memory = BigInt(this.image.stack);
    const status = Number(this.run(what, memory, memory + BigInt(this.image.work)));
    if (this.guard.some((word) => word !== 0n)) throw new Error("the stack of the run overflows");
    return status;
  }

  private emptied({ at, columns }: Buffer, count: number): Float64Array {
    const rows = this.numbers.slice(at / 8, at / 8 + Number(this.words[count]) * columns);
    this.words[count] = 0n;
    return rows;
  }
}

/** What the module imports: memory, and the functions that it does not bring itself. */
function environment(memory: WebAssembly.Memory, stack: number): WebAssembly.ModuleImports {
  const bytes = () => new Uint8Array(memory.buffer);
  const copied = (to: number, from: number, count: number) => {
    bytes().copyWithin(to, from, from + count);
    return to;
  };
  const { asinh, acosh, atanh, cbrt } = Math;
  return {
    asinh, acosh, atanh, cbrt,
    memcpy: copied,
    memmove: copied,
    memset: (to: number, value: number, count: number) => {
      bytes().fill(value, to, to + count);
      return to;
    },
    __linear_memory: memory,
    __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, stack),
    __indirect_function_table: new WebAssembly.Table({ initial: 64, element: "anyfunc" }),
  };
}
