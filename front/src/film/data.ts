// Data: what a film is told, as plots/films/page.py writes it; numbers are four bytes each in base64.

export interface Faces {
  corners: string;
  normals: string;
  colors: string;
  along?: string;
  joint?: number[];
  frame: number;
}

export interface FilmData {
  frames: number;
  p: string;
  q: string;
  strokes: string;
  solids: Faces[];
  path: string;
  pathTimes: string;
  reference: string | null;
  trail: string;
  extent: number;
}

export interface RoomData {
  low: number[];
  high: number[];
  floor: number;
  step: number;
  view: [number, number];
  triad: string[];
  grey: string;
  still: Omit<Faces, "frame">;
}

export interface SceneData extends RoomData {
  title: string;
  labels: string[];
  times: string;
  trail: number;
  speed: number;
  films: FilmData[];
  grounds: { lines: string; every: number; color: string; label: string }[];
}

/** What moves in a run that goes on, as pages/live writes it. */
export interface LiveSceneData extends RoomData {
  bodies: {
    label: string;
    frames: number;
    joints: number;
    solids: Faces[];
    reference: string | null;
    trail: string;
    extent: number;
  }[];
  grounds: { color: string; label: string; ends: number }[];
}

/** Names and colours of what is seen, each name once. */
export function key(
  labels: string[], bodies: { trail: string; reference: string | null }[], grey: string, grounds: { label: string; color: string }[],
): [label: string, color: string][] {
  const wanted: [string, string][] = bodies.some((one) => one.reference) ? [["reference", grey]] : [];
  const known = new Map(grounds.map((part) => [part.label, part.color]));
  return [...bodies.map((one, i): [string, string] => [labels[i], one.trail]), ...wanted, ...known];
}

export function floats(text: string): Float32Array {
  return new Float32Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
}

/** The last sample at or before t; the first one where there is none. */
export function before(instants: ArrayLike<number>, t: number): number {
  let low = 0, high = instants.length - 1;
  if (t < instants[0]) return 0;
  while (low < high) {
    const half = (low + high + 1) >> 1;
    if (instants[half] <= t) low = half;
    else high = half - 1;
  }
  return low;
}
