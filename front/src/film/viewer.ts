// Viewer: the film of a run that has ended, shown at any instant.

import { body, type Body } from "./body";
import { before, floats, type SceneData } from "./data";
import { Filmed } from "./ground";
import { Screen } from "./screen";
import { View } from "./view";

export class Viewer extends View {
  readonly times: Float32Array;
  protected readonly bodies: Body[];
  private readonly grounds: Filmed[];

  /** Throws where the browser gives no WebGL. */
  constructor(canvas: HTMLCanvasElement, data: SceneData, dark = false) {
    super(new Screen(canvas, data, dark));
    this.times = floats(data.times);
    const { stage } = this.screen;
    this.bodies = data.films.map((film) => body(stage, data, film, this.times.length));
    this.grounds = data.grounds.map((part) => new Filmed(stage, part, this.times.length));
  }

  get first(): number {
    return this.times[0];
  }

  get last(): number {
    return this.times[this.times.length - 1];
  }

  /** Draw the instant t. */
  draw(t: number): void {
    this.screen.draw(String(t), () => (this.put(t), this.centre), () => this.put(t));
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
    for (const part of this.grounds) part.show(i);
  }
}
