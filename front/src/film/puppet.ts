// Puppet: the solids of one arm or flying machine, put where its frames are.

import { AxesHelper, Color, type Object3D, Vector3 } from "three";
import type { Faces } from "./data";
import { solid } from "./solids";
import type { Stage } from "./stage";

export class Puppet {
  readonly tip = new Vector3();
  private readonly axes: AxesHelper;
  private readonly parts;

  constructor(stage: Stage, solids: Faces[], private readonly frames: number, readonly extent: number, triad: string[]) {
    this.parts = solids.map((faces) => ({ ...solid(faces), frame: faces.frame }));
    this.axes = new AxesHelper(0.13 * extent);
    this.axes.setColors(new Color(triad[0]), new Color(triad[1]), new Color(triad[2]));
    for (const part of this.parts) stage.put(part);
    stage.scene.add(this.axes);
  }

  /** Positions (3 a frame), quaternions x, y, z, s (4 a frame) and strokes of the sliding joints. */
  pose(p: ArrayLike<number>, q: ArrayLike<number>, strokes: ArrayLike<number>): void {
    for (const part of this.parts) {
      put(part.mesh, part.frame, p, q);
      if (part.slide) slide(part, strokes);
    }
    put(this.axes, this.frames - 1, p, q);
    this.tip.copy(this.axes.position);
  }
}

function put(object: Object3D, frame: number, p: ArrayLike<number>, q: ArrayLike<number>): void {
  object.position.set(p[3 * frame], p[3 * frame + 1], p[3 * frame + 2]);
  object.quaternion.set(q[4 * frame], q[4 * frame + 1], q[4 * frame + 2], q[4 * frame + 3]);
}

function slide(part: ReturnType<typeof solid>, strokes: ArrayLike<number>): void {
  const to = part.mesh.geometry.attributes.position;
  for (let v = 0; v < part.joints.length; v++) {
    const stroke = strokes[part.joints[v]];
    for (let k = 3 * v; k < 3 * v + 3; k++) to.array[k] = part.position[k] + stroke * part.slide![k];
  }
  to.needsUpdate = true;
}
