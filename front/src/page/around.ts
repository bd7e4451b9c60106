// Around: whether what a page stands in is dark. A frame is told, a notebook says so itself or by its letters; else the system.

const BRIGHT = 382; // of red, green and blue, 255 each: letters brighter than that stand on dark

const system = () => matchMedia("(prefers-color-scheme: dark)");

export class Around {
  dark: boolean;
  private told: boolean | null = null;

  /** `inside`: an element in a page of others, such as a notebook; null in a page of our own. */
  constructor(private readonly inside: HTMLElement | null, changed: () => void) {
    this.dark = this.found();
    const look = () => {
      const before = this.dark;
      this.dark = this.found();
      if (this.dark !== before) changed();
    };
    system().addEventListener("change", look);
    new MutationObserver(look).observe(document.body, { attributes: true });
    addEventListener("message", (event: MessageEvent) => {
      if (event.source !== parent || parent === window || typeof event.data?.dark !== "boolean") return;
      this.told = event.data.dark;
      look();
    });
  }

  private found(): boolean {
    if (this.told !== null) return this.told;
    const { jpThemeLight } = document.body.dataset;
    if (jpThemeLight) return jpThemeLight === "false";
    const around = this.inside?.isConnected ? this.inside.parentElement : null;
    const letters = around && /^rgba?\((\d+), (\d+), (\d+)/.exec(getComputedStyle(around).color);
    return letters ? letters.slice(1).reduce((sum, part) => sum + Number(part), 0) > BRIGHT : system().matches;
  }
}
