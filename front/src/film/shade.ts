// Shade: the shadows of solids on the floor, each solid laid flat along the light.

import { DoubleSide, Group, Matrix4, Mesh, MeshBasicMaterial, type Vector3 } from "three";

export class Shade {
  readonly root = new Group();
  private readonly material = new MeshBasicMaterial({ side: DoubleSide });
  private readonly onto = new Matrix4();

  /** Let a solid have a shadow, wherever it is put. */
  of(solid: Mesh): void {
    const shadow = new Mesh(solid.geometry, this.material);
    shadow.frustumCulled = false;
    shadow.matrixWorldAutoUpdate = false;
    shadow.onBeforeRender = () => shadow.matrixWorld.multiplyMatrices(this.onto, solid.matrixWorld);
    this.root.add(shadow);
  }

  /** `light`: the way from the floor to it; the floor lies at `height`. */
  fall(light: Vector3, height: number): void {
    const x = light.x / light.z, y = light.y / light.z;
    this.onto.set(1, 0, -x, x * height, 0, 1, -y, y * height, 0, 0, 0, height, 0, 0, 0, 1);
  }

  paint(color: string): void {
    this.material.color.set(color);
  }
}
