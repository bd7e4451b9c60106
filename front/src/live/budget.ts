// Budget: how often three dimensions are drawn where drawing them is slow, so that the scopes stay quick.

const SLOW = 25, QUICK = 18; // ms a picture: 60 a second are 16.7
const PICTURES = 20; // over which it is measured
const MOST = 8; // one in so many pictures, at least

export class Budget {
  private every = 1;
  private count = 0;
  private started = 0;

  /** Whether this picture has three dimensions. */
  take(now: number): boolean {
    if (this.count === 0) this.started = now;
    this.count++;
    if (this.count > PICTURES) {
      const each = (now - this.started) / PICTURES;
      if (each > SLOW && each < 10 * SLOW) this.every = Math.min(MOST, this.every + 1);
      else if (each < QUICK) this.every = Math.max(1, this.every - 1);
      this.count = 0;
    }
    return this.count % this.every === 0;
  }
}
