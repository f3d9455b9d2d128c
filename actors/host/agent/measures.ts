import { Histogram, stepBounds } from '#contract/histogram.ts';
import type { HostFigures } from '#contract/wire/figures.ts';

/** Metrics of a host's work for its agents. */
export class HostMeasures {
  readonly #decisions = new Histogram();
  readonly #effects = new Map<string, { readonly times: Histogram; failures: number }>();

  /** Performs an effect and measures it. It counts as failed if its event is a failed step. */
  async effect<T extends { readonly type: string } | undefined>(kind: string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await work();
    const known = this.#effects.get(kind) ?? { times: new Histogram(stepBounds), failures: 0 };
    this.#effects.set(kind, known);
    known.times.observe((performance.now() - started) / 1_000);
    if (result?.type === 'STEP_FAILED') known.failures += 1;
    return result;
  }

  /** Commits a decision and measures how long that takes. */
  async commit<T>(work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await work();
    this.#decisions.observe((performance.now() - started) / 1_000);
    return result;
  }

  read(): Pick<HostFigures, 'effects' | 'decisions'> {
    const effects = [...this.#effects].map(([kind, { times, failures }]) => [kind, { times: times.read(), failures }]);
    return { effects: Object.fromEntries(effects), decisions: this.#decisions.read() };
  }
}
