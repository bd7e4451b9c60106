// Seldom: numbers that nobody can read sixty times a second are written ten times, the first and the last among them.

const GAP = 100; // ms

export class Seldom {
  private last = -Infinity;
  private timer = 0;

  constructor(private readonly act: () => void) {}

  want(): void {
    if (this.timer) return;
    const wait = this.last + GAP - performance.now();
    if (wait <= 0) this.now();
    else this.timer = window.setTimeout(() => this.now(), wait);
  }

  private now(): void {
    this.timer = 0;
    this.last = performance.now();
    this.act();
  }
}
