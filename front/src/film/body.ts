// Body: one arm or flying machine of a scene, whose frames move, with the path of its tip.

import { AxesHelper, Color, type Object3D, Quaternion, type Scene, Vector3 } from "three";
import { before, floats, type FilmData, type SceneData } from "./data";
import { solid, tube } from "./solids";

export interface Body {
  /** Put it where it is a part `s` of the way from instant `i` to the next one, at time `t`. */
  show(i: number, s: number, t: number): void;
  tip: Vector3;
  extent: number;
}

export function body(scene: Scene, data: SceneData, film: FilmData, count: number, span: number): Body {
  const p = floats(film.p), q = floats(film.q), strokes = floats(film.strokes);
  const pathTimes = floats(film.pathTimes), frames = film.frames, joints = strokes.length / count;
  const parts = film.solids.map((faces) => ({ ...solid(faces), frame: faces.frame }));
  const thin = 0.0016 * span;
  const trail = tube(floats(film.path), thin, film.trail);
  const axes = new AxesHelper(0.13 * film.extent);
  axes.setColors(new Color(data.triad[0]), new Color(data.triad[1]), new Color(data.triad[2]));
  scene.add(...parts.map((part) => part.mesh), trail.mesh, axes);
  if (film.reference) scene.add(tube(floats(film.reference), 0.6 * thin, data.grey).mesh);
  const tip = new Vector3(), turn = new Quaternion(), place = new Vector3();
  const nextPlace = new Vector3(), nextTurn = new Quaternion();

  function put(frame: number, i: number, s: number, object: Object3D): void {
    const here = frames * i + frame, next = frames * Math.min(i + 1, count - 1) + frame;
    place.fromArray(p, 3 * here).lerp(nextPlace.fromArray(p, 3 * next), s);
    turn.fromArray(q, 4 * here).slerp(nextTurn.fromArray(q, 4 * next), s);
    object.position.copy(place);
    object.quaternion.copy(turn);
  }

  function slide(part: (typeof parts)[number], i: number, s: number): void {
    const to = part.mesh.geometry.attributes.position, next = Math.min(i + 1, count - 1);
    for (let v = 0; v < part.joints.length; v++) {
      const j = part.joints[v];
      const stroke = (1 - s) * strokes[joints * i + j] + s * strokes[joints * next + j];
      for (let k = 3 * v; k < 3 * v + 3; k++) to.array[k] = part.position[k] + stroke * part.slide![k];
    }
    to.needsUpdate = true;
  }

  function show(i: number, s: number, t: number): void {
    for (const part of parts) {
      put(part.frame, i, s, part.mesh);
      if (part.slide) slide(part, i, s);
    }
    put(frames - 1, i, s, axes);
    tip.copy(axes.position);
    const from = Math.max(0, before(pathTimes, t - data.trail)), to = before(pathTimes, t);
    trail.mesh.geometry.setDrawRange(from * trail.segment, Math.max(0, to - from) * trail.segment);
    trail.mesh.visible = data.trail > 0;
  }
  return { show, tip, extent: film.extent };
}
