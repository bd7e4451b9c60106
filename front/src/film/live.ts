// Live: what moves in a run that goes on, posed as each picture of it arrives.

import { BufferAttribute, BufferGeometry, Color, Line, LineBasicMaterial, Vector3 } from "three";
import { floats, type LiveSceneData } from "./data";
import { Ground } from "./ground";
import { Puppet } from "./puppet";
import { Screen } from "./screen";
import { tube } from "./solids";
import { View } from "./view";

/** The line that a tip has left behind. */
class Trail {
  readonly line: Line;
  private times: number[] = [];
  private points = new Float32Array(3 * 256);

  constructor(color: string) {
    this.line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: new Color(color) }));
    this.line.frustumCulled = false;
    this.attach();
  }

  add(t: number, tip: Vector3): void {
    const count = this.times.length;
    if (count && t <= this.times[count - 1]) return;
    if (3 * count === this.points.length) {
      const more = new Float32Array(2 * this.points.length);
      more.set(this.points);
      this.points = more;
      this.attach();
    }
    this.times.push(t);
    tip.toArray(this.points, 3 * count);
    this.line.geometry.attributes.position.needsUpdate = true;
  }

  show(t: number): void {
    this.line.geometry.setDrawRange(0, this.times.findLastIndex((time) => time <= t) + 1);
  }

  cut(t: number): void {
    this.times.length = this.times.findLastIndex((time) => time <= t) + 1;
  }

  private attach(): void {
    this.line.geometry.dispose(); // a buffer of another length is another one
    this.line.geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(this.points, 3));
  }
}

export class LiveViewer extends View {
  protected readonly bodies: { puppet: Puppet; trail: Trail; frames: number; joints: number }[];
  private readonly grounds: { ground: Ground; ends: number }[];
  private moment = 0;

  /** Throws where the browser gives no WebGL. */
  constructor(canvas: HTMLCanvasElement, data: LiveSceneData, dark: boolean) {
    super(new Screen(canvas, data, dark));
    const { stage } = this.screen;
    this.bodies = data.bodies.map(({ solids, frames, joints, extent, trail: color, reference }) => {
      const trail = new Trail(color);
      stage.scene.add(trail.line);
      if (reference) stage.scene.add(tube(floats(reference), 0.001 * stage.span, data.grey).mesh);
      return { puppet: new Puppet(stage, solids, frames, extent, data.triad), trail, frames, joints };
    });
    this.grounds = data.grounds.map(({ color, ends }) => ({ ground: new Ground(stage, color, ends), ends }));
  }

  /** Of the grid, m: it grows with the room. */
  get step(): number {
    return this.screen.stage.step;
  }

  /** Body after body: positions, quaternions, strokes; then the ends of lines on the ground. */
  pose(t: number, poses: Float32Array): void {
    let at = 0;
    const next = (count: number) => poses.subarray(at, (at += count));
    for (const { puppet, trail, frames, joints } of this.bodies) {
      puppet.pose(next(3 * frames), next(4 * frames), next(joints));
      trail.add(t, puppet.tip);
      trail.show(t);
      if (this.screen.stage.grow(puppet.tip, puppet.extent)) this.screen.grown();
    }
    for (const { ground, ends } of this.grounds) ground.put(next(2 * ends));
    this.moment++;
  }

  /** Where the bodies have been meanwhile: x, y and z of each. */
  went(times: Float64Array, tips: Float32Array[]): void {
    const tip = new Vector3();
    this.bodies.forEach(({ trail, puppet }, k) => {
      for (let i = 0; i < times.length; i++) {
        tip.set(tips[3 * k][i], tips[3 * k + 1][i], tips[3 * k + 2][i]);
        trail.add(times[i], tip);
        if (this.screen.stage.grow(tip, puppet.extent)) this.screen.grown();
      }
    });
  }

  cut(t: number): void {
    for (const { trail } of this.bodies) trail.cut(t);
  }

  draw(): void {
    this.screen.draw(String(this.moment), () => this.centre, () => {});
  }

  dispose(): void {
    this.screen.dispose();
  }
}
