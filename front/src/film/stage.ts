// Stage: the light, the floor with its grid, and what holds still.

import {
  Color, DirectionalLight, GridHelper, HemisphereLight, Mesh, PlaneGeometry, Scene, ShadowMaterial, Vector3,
} from "three";
import type { SceneData } from "./data";
import { solid } from "./solids";

export interface Stage {
  scene: Scene;
  span: number;
  middle: Vector3;
  paint(dark: boolean): void;
}

export function stage(data: SceneData): Stage {
  const span = Math.hypot(...data.high.map((high, i) => high - data.low[i]));
  const [x, y, z] = data.low.map((low, i) => (low + data.high[i]) / 2);
  const middle = new Vector3(x, y, z), scene = new Scene();
  const sun = new DirectionalLight("#ffffff", 2.1);
  scene.add(new HemisphereLight("#ffffff", "#aab2bd", 1.9), sun, sun.target);
  sun.position.set(x - 0.2 * span, y - 0.3 * span, data.floor + 1.6 * span);
  sun.target.position.set(x, y, data.floor);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  sun.shadow.radius = 4;
  Object.assign(sun.shadow.camera, {
    left: -0.75 * span, right: 0.75 * span, bottom: -0.75 * span, top: 0.75 * span, near: 0.1 * span, far: 3 * span,
  });
  const cells = 2 * Math.ceil(span / data.step), wide = cells * data.step;
  const at = [x, y].map((c) => Math.round(c / data.step) * data.step);
  const shade = new ShadowMaterial();
  const floor = new Mesh(new PlaneGeometry(wide, wide), shade);
  floor.position.set(at[0], at[1], data.floor - 1e-3 * span);
  floor.receiveShadow = true;
  scene.add(floor, solid(data.still).mesh);
  let grid: GridHelper | null = null;

  function paint(dark: boolean): void {
    scene.background = new Color(dark ? "#171b21" : "#fbfcfd");
    shade.opacity = dark ? 0.4 : 0.16;
    if (grid) scene.remove(grid);
    grid = new GridHelper(wide, cells, dark ? "#46505c" : "#c9ced6", dark ? "#2b323b" : "#e2e6eb");
    grid.rotation.x = Math.PI / 2;
    grid.position.set(at[0], at[1], data.floor);
    scene.add(grid);
  }
  return { scene, span, middle, paint };
}
