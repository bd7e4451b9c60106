// Ground: lines on the floor that say what sensors and estimators know, those of the instant before.

import { BufferAttribute, BufferGeometry, Color, LineBasicMaterial, LineSegments, type Scene } from "three";
import { floats, type SceneData } from "./data";

export class Ground {
  private readonly lines: Float32Array;
  private readonly ends: number;
  private readonly every: number;
  private readonly position: BufferAttribute;

  constructor(scene: Scene, data: SceneData["grounds"][number], count: number, floor: number) {
    this.lines = floats(data.lines);
    this.every = data.every;
    this.ends = this.lines.length / (2 * Math.ceil(count / data.every));
    this.position = new BufferAttribute(new Float32Array(3 * this.ends).fill(floor), 3);
    const geometry = new BufferGeometry().setAttribute("position", this.position);
    const drawn = new LineSegments(geometry, new LineBasicMaterial({ color: new Color(data.color) }));
    drawn.frustumCulled = false;
    scene.add(drawn);
  }

  show(i: number): void {
    const { lines, ends, position } = this, first = 2 * ends * Math.floor(i / this.every);
    for (let k = 0; k < ends; k++) position.setXY(k, lines[first + 2 * k], lines[first + 2 * k + 1]);
    position.needsUpdate = true;
  }
}
