// Player: the page of a film, with play, the time, the speed and the camera's buttons.

import { Around } from "../page/around";
import { key, type SceneData } from "./data";
import { Viewer } from "./viewer";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10];

function by<E extends HTMLElement>(id: string): E {
  return document.getElementById(id) as E;
}

/** Play the film that stands in the page's element `data`. */
export function play(): void {
  const data = JSON.parse(by("data").textContent!) as SceneData;
  heading(data);
  try {
    const viewer = new Viewer(by<HTMLCanvasElement>("view"), data);
    const around = new Around(null, () => paint());
    const paint = () => {
      document.documentElement.dataset.theme = around.dark ? "dark" : "light";
      viewer.paint(around.dark);
    };
    paint();
    new Player(data, viewer).start();
  } catch (error) {
    by("note").textContent = "This page needs WebGL, which this browser does not give.";
    throw error;
  }
}

function heading(data: SceneData): void {
  by("title").textContent = data.title;
  by("note").textContent = `grid ${data.step} m`;
  for (const [label, color] of key(data.labels, data.films, data.grey, data.grounds)) {
    const entry = document.createElement("span"), line = document.createElement("i");
    line.style.borderTopColor = color;
    entry.append(line, label);
    by("key").append(entry);
  }
}

class Player {
  private now: number;
  private playing = false;
  private seen: number | null = null;
  private readonly time = by<HTMLInputElement>("time");
  private readonly speed = by<HTMLSelectElement>("speed");

  constructor(data: SceneData, private readonly viewer: Viewer) {
    const { first, last } = viewer;
    this.now = first;
    const speeds = [...new Set([...SPEEDS, data.speed])].sort((a, b) => a - b);
    for (const speed of speeds) {
      this.speed.append(new Option(`${speed} \u00d7`, String(speed), false, speed === data.speed));
    }
    Object.assign(this.time, { min: first, max: last });
    this.time.addEventListener("input", () => {
      this.now = Number(this.time.value);
      this.play(false);
    });
    by("play").addEventListener("click", () => this.play(!this.playing));
    by("follow").addEventListener("click", () => this.follow(!viewer.following));
    by("home").addEventListener("click", () => this.reset());
    addEventListener("keydown", (event) => this.key(event));
  }

  start(): void {
    const asked = new URLSearchParams(location.hash.slice(1)), { first, last } = this.viewer;
    if (asked.has("t")) this.now = Math.max(first, Math.min(last, Number(asked.get("t")) || first));
    this.play(!asked.has("t"));
    this.follow(asked.has("follow"));
    this.clock();
    requestAnimationFrame((clock) => this.frame(clock));
  }

  private play(on: boolean): void {
    this.playing = on && this.viewer.last > this.viewer.first;
    by("play").textContent = this.playing ? "Pause" : "Play";
  }

  private follow(on: boolean): void {
    this.viewer.follow(on);
    by("follow").setAttribute("aria-pressed", String(on));
  }

  private reset(): void {
    this.viewer.reset();
    this.follow(false);
  }

  private clock(): void {
    this.time.value = String(this.now);
    by("clock").textContent = `${this.now.toFixed(2)} of ${this.viewer.last.toFixed(2)} s`;
  }

  private frame(clock: number): void {
    const passed = this.seen === null ? 0 : Math.min(0.25, (clock - this.seen) / 1000);
    this.seen = clock;
    if (this.playing) {
      this.now += passed * Number(this.speed.value);
      if (this.now > this.viewer.last) this.now = this.viewer.first;
    }
    requestAnimationFrame((next) => this.frame(next));
    this.clock();
    if (this.viewer.following !== (by("follow").getAttribute("aria-pressed") === "true")) this.follow(false);
    this.viewer.draw(this.now);
  }

  private key(event: KeyboardEvent): void {
    if ((event.target as HTMLElement).tagName === "SELECT" || event.ctrlKey || event.metaKey) return;
    const { first, last } = this.viewer, step = (last - first) / 200;
    if (event.key === " ") this.play(!this.playing);
    else if (event.key === "ArrowLeft") this.now = Math.max(first, this.now - step);
    else if (event.key === "ArrowRight") this.now = Math.min(last, this.now + step);
    else if (event.key === "f") this.follow(!this.viewer.following);
    else if (event.key === "r") this.reset();
    else return;
    event.preventDefault();
  }
}
