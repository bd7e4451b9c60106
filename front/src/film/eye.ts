// Eye: the camera that goes round a scene: drag turns, the right button or Shift moves, the wheel zooms.

import { MathUtils, PerspectiveCamera, Vector3 } from "three";
import type { Stage } from "./stage";

export class Eye {
  readonly camera: PerspectiveCamera;
  elevation = 0;
  azimuth = 0;
  distance = 1;
  readonly target = new Vector3();
  private readonly fingers = new Map<number, [number, number]>();

  private untouched = true;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly stage: Stage,
    private readonly home: { elevation: number; azimuth: number },
    reset: () => void,
  ) {
    this.camera = new PerspectiveCamera(32, 1, 0.002 * stage.span, 20 * stage.span);
    this.camera.up.set(0, 0, 1);
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const name of ["pointerup", "pointercancel"] as const) {
      canvas.addEventListener(name, (event) => this.fingers.delete(event.pointerId));
    }
    canvas.addEventListener("pointermove", (event) => this.moved(event));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(0.0012 * event.deltaY));
    }, { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("dblclick", reset);
  }

  /** Back to the first view, from which the whole room is seen. */
  reset(): void {
    Object.assign(this, { ...this.home, distance: this.needed(), untouched: true });
    this.target.copy(this.stage.middle);
  }

  /** All that decides what is seen. */
  get state(): string {
    return [this.elevation, this.azimuth, this.distance, ...this.target.toArray()].join();
  }

  roomGrew(): void {
    Object.assign(this.camera, { near: 0.002 * this.stage.span, far: 20 * this.stage.span });
    this.camera.updateProjectionMatrix();
    if (this.untouched) this.reset();
  }

  private needed(): number {
    const out = outwards(this.home.elevation, this.home.azimuth);
    const right = new Vector3(0, 0, 1).cross(out).normalize(), up = out.clone().cross(right);
    const high = 0.86 * Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    return Math.max(...this.stage.corners.map((corner) => {
      const at = corner.clone().sub(this.stage.middle);
      return Math.max(Math.abs(at.dot(right)) / this.camera.aspect, Math.abs(at.dot(up))) / high + at.dot(out);
    }));
  }

  look(): void {
    const out = outwards(this.elevation, this.azimuth);
    this.camera.position.copy(this.target).addScaledVector(out, this.distance);
    this.camera.lookAt(this.target);
  }

  private moved(event: PointerEvent): void {
    const was = this.fingers.get(event.pointerId);
    if (!was) return;
    this.untouched = false;
    const dx = event.clientX - was[0], dy = event.clientY - was[1];
    const other = [...this.fingers].find(([id]) => id !== event.pointerId);
    if (other) {
      const apart = (at: [number, number]) => Math.hypot(at[0] - other[1][0], at[1] - other[1][1]);
      this.zoom(apart(was) / Math.max(1, apart([event.clientX, event.clientY])));
      this.pan(dx / 2, dy / 2);
    } else if (event.shiftKey || event.buttons & 6) this.pan(dx, dy);
    else this.rotate(dx, dy);
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  private rotate(dx: number, dy: number): void {
    const turn = 2.6 / this.canvas.clientHeight;
    this.azimuth -= turn * dx;
    this.elevation = MathUtils.clamp(this.elevation + turn * dy, -1.55, 1.55);
  }

  private pan(dx: number, dy: number): void {
    const high = 2 * this.distance * Math.tan(MathUtils.degToRad(this.camera.fov / 2));
    const scale = high / this.canvas.clientHeight;
    const right = new Vector3().setFromMatrixColumn(this.camera.matrix, 0);
    const up = new Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    this.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
  }

  private zoom(factor: number): void {
    this.untouched = false;
    this.distance = MathUtils.clamp(this.distance * factor, 0.01 * this.stage.span, 8 * this.stage.span);
  }
}

function outwards(elevation: number, azimuth: number): Vector3 {
  const level = Math.cos(elevation);
  return new Vector3(level * Math.cos(azimuth), level * Math.sin(azimuth), Math.sin(elevation));
}
