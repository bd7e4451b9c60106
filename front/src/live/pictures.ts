// Pictures: what a hand moves is asked for at once, and then no more often than pictures are drawn.

export class OncePerPicture<T> {
  private waiting = false;
  private next: T | null = null;

  constructor(private readonly ask: (wish: T) => void, private readonly joined: (earlier: T, later: T) => T) {}

  want(wish: T): void {
    if (this.waiting) {
      this.next = this.next === null ? wish : this.joined(this.next, wish);
      return;
    }
    this.waiting = true;
    this.ask(wish);
    requestAnimationFrame(() => {
      this.waiting = false;
      const { next } = this;
      this.next = null;
      if (next !== null) this.want(next);
    });
  }
}
