// Data: what a finished run's page is told, as pages/finished/page.py writes it.

import type { SceneData } from "../film/data";
import type { Coded } from "../page/coded";

export interface LineData extends Coded {
  name: string;
  unit: string;
  /** The number of its instants in `times`. */
  time: number;
  held: boolean;
}

export interface ScopeData {
  title: string;
  /** "xy": the second half of the lines over the first. */
  form: string;
  /** Seen at once, or after "more signals". */
  first: boolean;
  lines: number[];
}

/** Time, numbers of path and kind in `names`, and what happened. */
export type EventData = [time: number, path: number, kind: number, detail: string];

export interface RunData {
  title: string;
  start: number;
  stop: number;
  times: string[];
  lines: LineData[];
  scopes: ScopeData[];
  names: string[];
  events: EventData[];
  film: SceneData | null;
}
