// Viewer: the film of a run that has ended, shown at any instant.

import { Vector3 } from "three";
import { body, type Body } from "./body";
import { before, floats, type SceneData } from "./data";
import { Screen } from "./screen";

export class Viewer {
  readonly times: Float32Array;
  private readonly screen: Screen;
  private readonly bodies: Body[];

  /** Throws where the browser gives no WebGL. */
  constructor(canvas: HTMLCanvasElement, data: SceneData, dark = false) {
    this.screen = new Screen(canvas, data, dark);
    this.times = floats(data.times);
    const { scene, span } = this.screen.stage;
    this.bodies = data.films.map((film) => body(scene, data, film, this.times.length, span));
  }

  get first(): number {
    return this.times[0];
  }

  get last(): number {
    return this.times[this.times.length - 1];
  }

  get following(): boolean {
    return this.screen.following;
  }

  reset(): void {
    this.screen.reset();
  }

  follow(on: boolean): void {
    this.screen.follow(on, Math.max(...this.bodies.map((one) => one.puppet.extent)));
  }

  paint(dark: boolean): void {
    this.screen.paint(dark);
  }

  /** Draw the instant t. */
  draw(t: number): void {
    this.screen.draw(String(t), () => this.centre(t), () => this.put(t));
  }

  /** What is seen at t, as the address of a PNG. */
  picture(t: number): string {
    return this.screen.picture(() => this.draw(t));
  }

  private put(t: number): void {
    const i = before(this.times, t), next = Math.min(i + 1, this.times.length - 1);
    const apart = this.times[next] - this.times[i];
    const s = apart > 0 ? Math.min(1, Math.max(0, (t - this.times[i]) / apart)) : 0;
    for (const one of this.bodies) one.show(i, s, t);
  }

  private centre(t: number): Vector3 {
    this.put(t);
    const sum = this.bodies.reduce((total, one) => total.add(one.puppet.tip), new Vector3());
    return sum.divideScalar(this.bodies.length);
  }
}
