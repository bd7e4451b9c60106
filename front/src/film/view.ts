// View: what the viewers of films and of live runs share.

import { Vector3 } from "three";
import type { Puppet } from "./puppet";
import type { Screen } from "./screen";

export abstract class View {
  protected constructor(protected readonly screen: Screen) {}

  protected abstract readonly bodies: readonly { puppet: Puppet }[];

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

  /** The mean of all tips, as they are posed. */
  protected get centre(): Vector3 {
    const sum = this.bodies.reduce((total, one) => total.add(one.puppet.tip), new Vector3());
    return sum.divideScalar(this.bodies.length);
  }
}
