// Body: a puppet that goes through the poses of a film, with the path of its tip.

import { Quaternion } from "three";
import { before, floats, type FilmData, type SceneData } from "./data";
import { Puppet } from "./puppet";
import { tube } from "./solids";
import type { Stage } from "./stage";

export interface Body {
  /** Put it where it is a part `s` of the way from instant `i` to the next one, at time `t`. */
  show(i: number, s: number, t: number): void;
  puppet: Puppet;
}

export function body(stage: Stage, data: SceneData, film: FilmData, count: number): Body {
  const p = floats(film.p), q = floats(film.q), strokes = floats(film.strokes);
  const pathTimes = floats(film.pathTimes), frames = film.frames, joints = strokes.length / count;
  const puppet = new Puppet(stage, film.solids, frames, film.extent, data.triad);
  const thin = 0.0016 * stage.span;
  const trail = tube(floats(film.path), thin, film.trail);
  stage.scene.add(trail.mesh);
  if (film.reference) stage.scene.add(tube(floats(film.reference), 0.6 * thin, data.grey).mesh);
  const place = new Float32Array(3 * frames), turn = new Float32Array(4 * frames), stroke = new Float32Array(joints);
  const from = new Quaternion(), to = new Quaternion();

  function between(values: Float32Array, width: number, i: number, next: number, s: number, target: Float32Array): void {
    for (let k = 0; k < width; k++) target[k] = (1 - s) * values[width * i + k] + s * values[width * next + k];
  }

  function show(i: number, s: number, t: number): void {
    const next = Math.min(i + 1, count - 1);
    between(p, 3 * frames, i, next, s, place);
    between(strokes, joints, i, next, s, stroke);
    for (let frame = 0; frame < frames; frame++) {
      from.fromArray(q, 4 * (frames * i + frame)).slerp(to.fromArray(q, 4 * (frames * next + frame)), s);
      from.toArray(turn, 4 * frame);
    }
    puppet.pose(place, turn, stroke);
    const first = Math.max(0, before(pathTimes, t - data.trail)), last = before(pathTimes, t);
    trail.mesh.geometry.setDrawRange(first * trail.segment, Math.max(0, last - first) * trail.segment);
    trail.mesh.visible = data.trail > 0;
  }
  return { show, puppet };
}
