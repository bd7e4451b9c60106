// Stage: the light, the floor with its grid, and what holds still.

import { Color, DirectionalLight, GridHelper, HemisphereLight, Scene, Vector3 } from "three";
import type { RoomData } from "./data";
import { Shade } from "./shade";
import { solid, type Solid } from "./solids";

const MOST_CELLS = 30; // of the grid along the diagonal of the room

/** 1, 2, 5, 10, 20 ... */
function coarser(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step) + 1e-9), digit = Math.round(step / power);
  return (digit < 2 ? 2 : digit < 5 ? 5 : 10) * power;
}

export class Stage {
  readonly scene = new Scene();
  readonly middle = new Vector3();
  span = 1;
  /** Of the grid, m. */
  step = 1;
  private readonly sun = new DirectionalLight("#ffffff", 2.1);
  private readonly shade = new Shade();
  private grid: GridHelper | null = null;
  private dark = false;

  readonly low: number[];
  readonly high: number[];

  constructor(private readonly room: RoomData) {
    this.low = [...room.low];
    this.high = [...room.high];
    this.scene.add(new HemisphereLight("#ffffff", "#aab2bd", 1.9), this.sun, this.sun.target, this.shade.root);
    this.put(solid(room.still));
    this.build();
  }

  /** Add a solid and its shadow. */
  put({ mesh }: Solid): void {
    this.scene.add(mesh);
    this.shade.of(mesh);
  }

  /** Seen from there: from below the floor hides nothing. */
  look(eye: Vector3): void {
    this.shade.root.visible = eye.z > this.room.floor;
  }

  /** Its height, m. */
  get floor(): number {
    return this.room.floor;
  }

  get corners(): Vector3[] {
    return [...Array(8).keys()].map(
      (corner) => new Vector3(...[0, 1, 2].map((i) => ((corner >> i) & 1 ? this.high : this.low)[i])),
    );
  }

  paint(dark: boolean): void {
    this.dark = dark;
    this.build();
  }

  /** Make room for what is at a place, this far around it; whether there was too little. */
  grow(place: Vector3, around: number): boolean {
    const at = place.toArray();
    if (at.every((x, i) => x >= this.low[i] && x <= this.high[i])) return false;
    at.forEach((x, i) => {
      const spare = around + 0.25 * (this.high[i] - this.low[i]); // so that it does not grow at every picture
      if (x < this.low[i]) this.low[i] = x - spare;
      if (x > this.high[i]) this.high[i] = x + spare;
    });
    this.build();
    return true;
  }

  private build(): void {
    const { room, low, high, sun } = this;
    const span = Math.hypot(...high.map((top, i) => top - low[i]));
    const [x, y, z] = low.map((bottom, i) => (bottom + high[i]) / 2);
    this.span = span;
    this.middle.set(x, y, z);
    sun.position.set(x - 0.2 * span, y - 0.3 * span, room.floor + 1.6 * span);
    sun.target.position.set(x, y, room.floor);
    this.shade.fall(sun.position.clone().sub(sun.target.position), room.floor - 1e-3 * span);
    this.shade.paint(this.dark ? "#0e1014" : "#d3d4d5");
    this.scene.background = new Color(this.dark ? "#171b21" : "#fbfcfd");
    this.lay(x, y);
  }

  /** The grid of the floor, whose lines are where they would be in any other room. */
  private lay(x: number, y: number): void {
    const { room, dark } = this;
    let step = room.step;
    while (this.span / step > MOST_CELLS) step = coarser(step);
    this.step = step;
    const cells = 2 * Math.ceil(this.span / step), size = cells * step;
    const at = [x, y].map((c) => Math.round(c / step) * step);
    if (this.grid) this.scene.remove(this.grid);
    this.grid?.dispose();
    this.grid = new GridHelper(size, cells, dark ? "#46505c" : "#c9ced6", dark ? "#2b323b" : "#e2e6eb");
    this.grid.rotation.x = Math.PI / 2;
    this.grid.position.set(at[0], at[1], room.floor);
    this.scene.add(this.grid);
  }
}
