import type { HostFigures } from '#contract/wire/figures.ts';

/** What hosts counted, as each told it last. It is kept in memory alone: what is old says nothing. */
export class HostReports {
  readonly #figures = new Map<string, HostFigures>();

  hear(hostId: string, figures: HostFigures | undefined): void {
    if (figures !== undefined) this.#figures.set(hostId, figures);
  }

  of(hostId: string): HostFigures | undefined {
    return this.#figures.get(hostId);
  }
}
