// Merged: lines of different instants as the rows of one chart.

import type { Series } from "./series";

/** undefined: not sampled there, and the line goes on; null: no number, and the line breaks. */
export interface Rows {
  times: number[];
  values: (number | null | undefined)[][];
}

/** What draws the lines over [t0, t1]; an instant of an event stands in two rows. `until`: where held values end. */
export function merged(lines: Series[], t0: number, t1: number, columns: number, until: number): Rows {
  const picks = lines.map((line) => line.pick(t0, t1, columns));
  const heads = new Int32Array(lines.length);
  const rows: Rows = { times: [], values: lines.map(() => []) };
  for (;;) {
    let t = Infinity;
    for (let k = 0; k < lines.length; k++) {
      if (heads[k] < picks[k].length) t = Math.min(t, lines[k].time[picks[k][heads[k]]]);
    }
    if (t === Infinity) break;
    rows.times.push(t);
    for (let k = 0; k < lines.length; k++) {
      const i = picks[k][heads[k]];
      const sampled = heads[k] < picks[k].length && lines[k].time[i] === t;
      rows.values[k].push(sampled ? drawable(lines[k].values[i]) : undefined);
      if (sampled) heads[k]++;
    }
  }
  hold(lines, rows, until);
  return rows;
}

/** Values that are held go on until the end. */
function hold(lines: Series[], rows: Rows, until: number): void {
  const last = rows.times.at(-1);
  if (last === undefined || !lines.some((line) => line.stepped) || last > until) return;
  rows.times.push(until);
  lines.forEach((line, k) => {
    const n = line.after(until);
    rows.values[k].push(line.stepped && n ? drawable(line.values[n - 1]) : undefined);
  });
}

function drawable(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
