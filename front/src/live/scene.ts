// Scene: what moves, in three dimensions beside the scopes.

import { key, type LiveSceneData } from "../film/data";
import type * as film from "../film/film";
import { button, element, number, swatches } from "../page/element";

/** The bundle plots/films/web/film.js, which stands before this one. */
declare const blockdynFilm: typeof film;

export class LiveScene {
  readonly root: HTMLElement;
  private viewer: film.LiveViewer | null = null;
  private readonly grid = element("span", { class: "unit" });
  private readonly followButton = button("Follow", "the camera goes with it (f)", () => this.follow());

  constructor(data: LiveSceneData, dark: boolean) {
    const canvas = element("canvas", { tabindex: "0", "aria-label": "the run in three dimensions; drag turns it" });
    const note = element("p", { class: "note" });
    const labels = data.bodies.map(({ label }) => label);
    const legend = swatches(key(labels, data.bodies, data.grey, data.grounds), this.grid);
    const home = button("Reset view", "as at first (r, double click)", () => this.reset());
    const bar = element("div", { class: "bar" }, this.followButton, home);
    this.root = element("section", { class: "film" }, legend, canvas, note, bar);
    try {
      this.viewer = new blockdynFilm.LiveViewer(canvas, data, dark);
    } catch {
      note.textContent = "Three dimensions need WebGL, which this browser does not give.";
      canvas.hidden = bar.hidden = true;
    }
    for (const name of ["pointermove", "wheel", "dblclick"]) canvas.addEventListener(name, () => requestAnimationFrame(() => this.draw()));
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  pose(t: number, poses: Float32Array): void {
    if (poses.length) this.viewer?.pose(t, poses);
  }

  went(times: Float64Array, tips: Float32Array[]): void {
    this.viewer?.went(times, tips);
  }

  cut(t: number): void {
    this.viewer?.cut(t);
  }

  draw(): void {
    this.viewer?.draw();
    const grid = this.viewer ? `grid ${number(this.viewer.step)} m` : "";
    if (this.grid.textContent !== grid) this.grid.textContent = grid;
  }

  paint(dark: boolean): void {
    this.viewer?.paint(dark);
    this.draw();
  }

  follow(): void {
    this.viewer?.follow(!this.viewer.following);
    this.mark();
  }

  reset(): void {
    this.viewer?.reset();
    this.mark();
  }

  dispose(): void {
    this.viewer?.dispose();
  }

  private mark(): void {
    this.followButton.setAttribute("aria-pressed", String(this.viewer?.following ?? false));
    this.draw();
  }
}
