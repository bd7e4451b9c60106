// Data: what a page that simulates is given, as export/page.py writes it.

import type { Control } from "../live/messages";

/** Rows of numbers in the memory of a run: the place of the first, in bytes, and how many there are. */
export interface Buffer {
  at: number;
  rows: number;
  columns: number;
}

export interface ImageData {
  /** The module, deflated, base64. */
  code: string;
  /** The place, in bytes, of words that stay 0 unless the stack above them overflows. */
  guard: number;
  /** Bytes below the image, for constants and the stack. */
  stack: number;
  /** The words of a run that has not begun, as `doubles` reads them. */
  words: string;
  /** The indices of the words that hold an address. */
  addresses: number[];
  /** The place of the solver's part, in bytes. */
  work: number;
  bytes: number;
  log: Buffer;
  events: Buffer;
  /** The indices of numbers of the solver. */
  budget: number;
  rows: number;
  eventRows: number;
  time: number;
  trouble: number;
}

/** The values of a slider's words, as bits, at so many numbers from its low to its high. */
export interface Table {
  count: number;
  values: string;
}

/** A number that a slider sets, and the words that follow from it: they are the number, or stand in a table. */
export interface Slider extends Control {
  words: number[];
  table: Table | null;
}

export interface SimulatedData {
  start: number;
  stop: number;
  image: ImageData;
  series: { name: string; unit: string; held: boolean; column: number }[];
  scopes: { title: string; form: string; series: number[]; labels: string[] }[];
  sliders: Slider[];
  /** Paths of timers, and paths, names and senses of zero crossings, by their numbers. */
  timers: string[];
  crossings: [path: string, name: string, tells: boolean][];
  /** Sentences about how a run ended, by the solver's status. */
  ends: string[];
}
