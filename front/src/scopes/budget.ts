// Budget: what is left out of a picture where drawing all of it takes too long for sixty a second.

const SLOW = 18.5; // ms a picture: 60 a second are 16.7
const PAUSE = 250; // ms: a longer gap is none of drawing
const PICTURES = 20; // over which it is measured
const MOST = 6; // levels of leaving out
const LONGEST = 1800; // pictures after which more is tried once more

export class Budget {
  /** How much is left out. */
  private level = 0;
  private count = 0;
  private measured = 0;
  private spent = 0;
  private last = -Infinity;
  private patience = 60; // pictures before more is tried
  private waited = 0;

  /** Count a picture that begins now. */
  begin(now: number): void {
    const gap = now - this.last;
    this.last = now;
    this.count++;
    this.waited++;
    if (gap > PAUSE) return;
    this.spent += gap;
    if (++this.measured < PICTURES) return;
    const slow = this.spent > SLOW * PICTURES;
    this.measured = this.spent = 0;
    if (slow && this.level < MOST) this.turn(1);
    else if (!slow && this.level > 0 && this.waited > this.patience) this.turn(-1);
  }

  /** The share of the scopes that are drawn anew in this picture. */
  get scopes(): number {
    return 1 / 2 ** Math.min(this.level, 2);
  }

  /** Whether this picture has three dimensions. */
  get deep(): boolean {
    return this.count % Math.max(1, this.level - 1) === 0;
  }

  private turn(by: 1 | -1): void {
    if (by > 0) this.patience = Math.min(LONGEST, 2 * this.patience); // trying more was too much
    this.level += by;
    this.waited = 0;
  }
}
