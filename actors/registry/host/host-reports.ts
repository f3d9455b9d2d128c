import type { HostFigures } from '#contract/wire/figures.ts';

/** What a host reports in addition to its row. */
interface HostReport {
  /** What it counted. */
  readonly figures?: HostFigures | undefined;
  /** Terminals that run on it and that the database does not know, by the family. */
  readonly foundTerminals?: readonly string[] | undefined;
}

/** The last reports of hosts, kept in memory only: old ones mean nothing. */
export class HostReports {
  readonly #reports = new Map<string, HostReport>();

  hear(hostId: string, { figures = this.of(hostId), foundTerminals }: HostReport): void {
    this.#reports.set(hostId, { figures, foundTerminals });
  }

  /** Forgets hosts whose rows are gone. */
  drop(hostIds: readonly string[]): void {
    for (const id of hostIds) this.#reports.delete(id);
  }

  of(hostId: string): HostFigures | undefined {
    return this.#reports.get(hostId)?.figures;
  }

  foundOn(hostId: string): readonly string[] {
    return this.#reports.get(hostId)?.foundTerminals ?? [];
  }
}
