import type { ServerResponse } from 'node:http';

/** Holds answers until a test lets them go. */
export class Hold {
  /** How many pieces held answers have said so far. */
  said = 0;
  readonly #waiting = new Set<() => void>();

  /** How many answers are held now. */
  get size(): number {
    return this.#waiting.size;
  }

  /** Resolves when the answer is released, or its reader goes away. */
  wait(response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const go = () => {
        this.#waiting.delete(go);
        resolve();
      };
      this.#waiting.add(go);
      response.once('close', go);
    });
  }

  /** Lets every answer go on that is held now. */
  release(): void {
    for (const go of [...this.#waiting]) go();
  }
}
