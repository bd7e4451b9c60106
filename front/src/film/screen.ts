// Screen: a stage on a canvas, looked at from all sides.

import { Vector2, type Vector3, WebGLRenderer } from "three";
import type { RoomData } from "./data";
import { Eye } from "./eye";
import { Stage } from "./stage";

/** Whether the processor draws, which takes milliseconds for smooth edges and many pixels. */
function drawnByProcessor(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const about = context?.getExtension("WEBGL_debug_renderer_info");
  const name = about ? String(context!.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

const AT_REST = 250; // ms after which a picture that the processor drew is drawn again, as fine as the screen

export class Screen {
  readonly stage: Stage;
  following = false;
  private readonly renderer: WebGLRenderer;
  private readonly eye: Eye;
  private drawn = "";
  private fresh = true; // nothing was drawn yet, and the place may have been without a size
  private near = true; // to what is seen of the page
  private again = () => {};
  private rest = 0; // the timer of the finer picture
  private readonly fine = Math.min(devicePixelRatio, 2);
  private readonly coarse: number; // pixels a pixel of the page while it moves

  /** Throws where the browser gives no WebGL. */
  constructor(private readonly canvas: HTMLCanvasElement, room: RoomData, private dark: boolean) {
    const slow = drawnByProcessor();
    this.renderer = new WebGLRenderer({ canvas, antialias: !slow });
    this.coarse = slow ? Math.min(1, this.fine) : this.fine;
    this.renderer.setPixelRatio(this.fine);
    this.stage = new Stage(room);
    this.stage.paint(dark);
    this.eye = new Eye(canvas, this.stage, { elevation: room.view[0], azimuth: room.view[1] }, () => this.reset());
    this.fit();
    this.reset();
    new IntersectionObserver(([seen]) => {
      this.near = seen.isIntersecting;
      this.again();
    }, { rootMargin: "100px" }).observe(canvas);
  }

  reset(): void {
    this.following = false;
    this.eye.reset();
  }

  /** Let the camera go along with something of this size, or stay. */
  follow(on: boolean, extent: number): void {
    this.following = on;
    if (on) this.eye.distance = Math.min(this.eye.distance, 7 * extent);
    else this.eye.target.copy(this.stage.middle);
  }

  paint(dark: boolean): void {
    this.dark = dark;
    this.stage.paint(dark);
  }

  /** The room has grown: show all of it to an eye that was left where it was. */
  grown(): void {
    this.eye.roomGrew();
    this.drawn = "";
  }

  /** Draw, unless what is seen has not changed; `moment` tells instants apart. */
  draw(moment: string, centre: () => Vector3, pose: () => void): void {
    this.again = () => this.draw(moment, centre, pose);
    if (!this.near && this.drawn) return;
    if (this.fit() && this.fresh) this.eye.reset();
    this.fresh = false;
    if (this.following) this.eye.target.copy(centre());
    const { clientWidth, clientHeight } = this.canvas;
    const state = [moment, this.eye.state, clientWidth, clientHeight, this.dark].join();
    if (state === this.drawn) return;
    this.drawn = state;
    pose();
    this.eye.look();
    this.stage.look(this.eye.camera.position);
    this.render(this.coarse);
    clearTimeout(this.rest);
    if (this.coarse < this.fine) this.rest = window.setTimeout(() => this.render(this.fine), AT_REST);
  }

  private render(pixels: number): void {
    if (this.renderer.getPixelRatio() !== pixels) this.renderer.setPixelRatio(pixels);
    this.renderer.render(this.stage.scene, this.eye.camera);
  }

  /** What `draw` shows, as the address of a PNG. */
  picture(draw: () => void): string {
    this.drawn = "";
    draw();
    this.render(this.fine);
    return this.canvas.toDataURL();
  }

  dispose(): void {
    clearTimeout(this.rest);
    this.renderer.dispose();
    this.renderer.forceContextLoss();
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
