// Ground: lines on the floor that say what sensors and estimators know, those of the instant before.

import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments } from "three";
import { floats, type SceneData } from "./data";
import type { Stage } from "./stage";

const ABOVE = 1e-4; // of the room: how far above the floor they lie

export class Ground {
  private readonly position: BufferAttribute;

  constructor(stage: Stage, color: string, private readonly ends: number) {
    this.position = new BufferAttribute(new Float32Array(3 * ends).fill(stage.floor + ABOVE * stage.span), 3);
    const geometry = new BufferGeometry().setAttribute("position", this.position);
    const drawn = new LineSegments(geometry, new LineBasicMaterial({ color: new Color(color) }));
    drawn.frustumCulled = false;
    stage.scene.add(drawn);
  }

  /** Put the lines at ends x, y that begin at a place of the numbers. */
  put(numbers: Float32Array, first = 0): void {
    for (let k = 0; k < this.ends; k++) this.position.setXY(k, numbers[first + 2 * k], numbers[first + 2 * k + 1]);
    this.position.needsUpdate = true;
  }
}

/** Lines of a run that has ended, at each instant of its film or at every so many of them. */
export class Filmed {
  private readonly lines: Float32Array;
  private readonly size: number; // numbers an instant
  private readonly every: number;
  private readonly ground: Ground;

  constructor(stage: Stage, data: SceneData["grounds"][number], count: number) {
    this.lines = floats(data.lines);
    this.every = data.every;
    this.size = this.lines.length / Math.ceil(count / data.every);
    this.ground = new Ground(stage, data.color, this.size / 2);
  }

  show(i: number): void {
    this.ground.put(this.lines, this.size * Math.floor(i / this.every));
  }
}
