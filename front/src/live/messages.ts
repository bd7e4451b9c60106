// Messages: what the run and its page tell each other; pages/live writes and reads the same.

import type { LiveSceneData } from "../film/data";

export interface Control {
  path: string;
  label: string;
  unit: string;
  kind: "parameter" | "input" | "block" | "state";
  value: number;
  low: number;
  high: number;
  group: string;
}

export type EventRow = [time: number, path: string, kind: string, detail: string, direction: string];

export interface State {
  type: "state";
  playing: boolean;
  pace: number | null;
  behind: boolean;
  time: number;
  computed: number;
  viewers: number;
  status: "running" | "complete" | "stopped" | "failed" | "ended";
  message: string;
  /** Values are texts where they are lists, expressions or infinite. */
  touched: [time: number, path: string, value: number | string][];
  values: Record<string, number | string>;
}

export interface Hello {
  type: "hello";
  version: number;
  title: string;
  start: number;
  stop: number | null;
  series: { name: string; label: string; unit: string; held: boolean }[];
  scopes: { title: string; form: string; unit: string; series: number[]; labels: string[] }[];
  controls: Control[];
  scene: LiveSceneData | null;
  /** Whether the diagram is drawn for those who ask. */
  drawable: boolean;
  /** What brings that which draws it, where it is missing; empty otherwise. */
  lacking: string;
  state: State;
  events: EventRow[];
}

export type Told =
  | Hello
  | State
  | { type: "truncate"; time: number }
  | { type: "events"; events: EventRow[] }
  | { type: "drawing"; svg: string | null }
  | { type: "error"; about: string; text: string }
  | { type: "ended"; text: string };

export type Asked =
  | { type: "open" | "play" | "pause" | "next" | "drawing" | "end" }
  | { type: "shown"; frame: number }
  | { type: "pace"; pace: number | null }
  | { type: "seek"; time: number }
  | { type: "touch"; changes: Record<string, number> }
  | { type: "push"; path: string; value: number }
  | { type: "release"; path: string }
  | { type: "view"; seconds: number; pixels: number }
  | { type: "range"; id: number; from: number; to: number; pixels: number };

/** Samples of all series, by their instants; NaN where a series has none. */
export interface Samples {
  times: Float64Array;
  values: Float32Array[];
}

export interface Picture extends Samples {
  kind: 1;
  number: number;
  time: number;
  computed: number;
  poses: Float32Array;
}

/** The ways of all bodies: x, y and z of each. */
export interface Path extends Samples {
  kind: 3;
}

export interface Range extends Samples {
  kind: 2;
  id: number;
  from: number;
  to: number;
}

const HEAD = 40; // bytes before the instants

/** A binary message; null for a kind that this page does not know. */
export function parsed(view: DataView): Picture | Range | Path | null {
  const kind = view.getUint32(0, true), n = view.getUint32(4, true), m = view.getUint32(8, true);
  const last = view.getUint32(12, true), head = [16, 24, 32].map((at) => view.getFloat64(at, true));
  const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength) as ArrayBuffer;
  const times = new Float64Array(bytes, HEAD, n), start = HEAD + 8 * n;
  const values = Array.from({ length: m }, (_, k) => new Float32Array(bytes, start + 4 * n * k, n));
  if (kind === 1) {
    const poses = new Float32Array(bytes, start + 4 * n * m, last);
    return { kind, times, values, number: head[0], time: head[1], computed: head[2], poses };
  }
  if (kind === 3) return { kind, times, values };
  return kind === 2 ? { kind, times, values, id: last, from: head[0], to: head[1] } : null;
}
