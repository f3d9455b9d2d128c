const between = 50;

/** Lets a pane's hints through at once, but never two within 50 ms: the second comes when they are over. */
export class HintThrottle {
  readonly #ring: (paneId: string) => void;
  readonly #resting = new Map<string, { readonly timer: NodeJS.Timeout; again: boolean }>();

  constructor(ring: (paneId: string) => void) {
    this.#ring = ring;
  }

  touch(paneId: string): void {
    const resting = this.#resting.get(paneId);
    if (resting !== undefined) resting.again = true;
    else this.#let(paneId);
  }

  stop(): void {
    for (const { timer } of this.#resting.values()) clearTimeout(timer);
    this.#resting.clear();
  }

  #let(paneId: string): void {
    const timer = setTimeout(() => {
      const again = this.#resting.get(paneId)?.again === true;
      this.#resting.delete(paneId);
      if (again) this.#let(paneId);
    }, between);
    this.#resting.set(paneId, { timer, again: false });
    this.#ring(paneId);
  }
}
