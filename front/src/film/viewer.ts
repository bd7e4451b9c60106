// Viewer: a scene on a canvas, shown at any instant, looked at from all sides.

import { PCFShadowMap, Vector2, Vector3, WebGLRenderer } from "three";
import { body, type Body } from "./body";
import { before, floats, type SceneData } from "./data";
import { Eye } from "./eye";
import { stage, type Stage } from "./stage";

export class Viewer {
  readonly times: Float32Array;
  following = false;
  private readonly renderer: WebGLRenderer;
  private readonly stage: Stage;
  private readonly bodies: Body[];
  private readonly eye: Eye;
  private drawn = "";
  private fresh = true; // nothing was drawn yet, and the place may have been without a size

  /** Throws where the browser gives no WebGL. */
  constructor(private readonly canvas: HTMLCanvasElement, data: SceneData, private dark = false) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.times = floats(data.times);
    this.stage = stage(data);
    this.stage.paint(dark);
    const { scene, span, middle } = this.stage;
    this.bodies = data.films.map((film) => body(scene, data, film, this.times.length, span));
    const corners = [...Array(8).keys()].map(
      (corner) => new Vector3(...[0, 1, 2].map((i) => ((corner >> i) & 1 ? data.high : data.low)[i])),
    );
    const home = { elevation: data.view[0], azimuth: data.view[1], target: middle };
    this.eye = new Eye(canvas, span, corners, home, () => this.reset());
    this.fit();
    this.reset();
  }

  get first(): number {
    return this.times[0];
  }

  get last(): number {
    return this.times[this.times.length - 1];
  }

  reset(): void {
    this.follow(false);
    this.eye.reset();
  }

  follow(on: boolean): void {
    this.following = on;
    const extent = Math.max(...this.bodies.map((one) => one.extent));
    if (on) this.eye.distance = Math.min(this.eye.distance, 7 * extent);
    else this.eye.target.copy(this.stage.middle);
  }

  paint(dark: boolean): void {
    this.dark = dark;
    this.stage.paint(dark);
  }

  /** Draw the instant t, unless that is what is seen already. */
  draw(t: number): void {
    if (this.fit() && this.fresh) this.eye.reset();
    this.fresh = false;
    const { elevation, azimuth, distance, target } = this.eye, { clientWidth, clientHeight } = this.canvas;
    if (this.following) target.copy(this.centre(t));
    const state = [t, elevation, azimuth, distance, ...target.toArray(), clientWidth, clientHeight, this.dark].join();
    if (state === this.drawn) return;
    this.drawn = state;
    this.put(t);
    this.eye.look();
    this.renderer.render(this.stage.scene, this.eye.camera);
  }

  /** What is seen at t, as the address of a PNG. */
  picture(t: number): string {
    this.drawn = "";
    this.draw(t);
    return this.canvas.toDataURL();
  }

  private put(t: number): void {
    const i = before(this.times, t), next = Math.min(i + 1, this.times.length - 1);
    const apart = this.times[next] - this.times[i];
    const s = apart > 0 ? Math.min(1, (t - this.times[i]) / apart) : 0;
    for (const one of this.bodies) one.show(i, s, t);
  }

  private centre(t: number): Vector3 {
    this.put(t);
    const sum = this.bodies.reduce((total, one) => total.add(one.tip), new Vector3());
    return sum.divideScalar(this.bodies.length);
  }

  /** The picture as large as its place; whether that has changed. */
  private fit(): boolean {
    const { clientWidth, clientHeight } = this.canvas, size = this.renderer.getSize(new Vector2());
    if (!clientWidth || !clientHeight || (size.x === clientWidth && size.y === clientHeight)) return false;
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.eye.camera.aspect = clientWidth / clientHeight;
    this.eye.camera.updateProjectionMatrix();
    return true;
  }
}
