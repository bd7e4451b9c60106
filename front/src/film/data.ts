// Data: what a film is told, as robots/animation/page.py writes it; numbers are four bytes each in base64.

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

export interface SceneData {
  title: string;
  labels: string[];
  times: string;
  low: number[];
  high: number[];
  floor: number;
  step: number;
  view: [number, number];
  trail: number;
  speed: number;
  triad: string[];
  grey: string;
  still: Omit<Faces, "frame">;
  films: FilmData[];
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
