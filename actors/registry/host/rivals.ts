import type { Clock } from '#contract/clock.ts';
import type { Holder } from '#contract/wire/host-greeting.ts';
import { hostSilenceMs } from '#machines/host/host.ts';

/** A second machine that uses a host's id and key. */
interface Rival extends Holder {
  /** When it last tried, in milliseconds since 1970. */
  readonly at: number;
}

/** Machines refused because another one holds the host's lease. Kept in memory, for as long as they keep trying. */
export class Rivals {
  readonly #clock: Clock;
  readonly #rivals = new Map<string, Rival>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(hostId: string, holder: Holder): void {
    this.#rivals.set(hostId, { ...holder, at: this.#clock.now() });
  }

  of(hostId: string): Rival | undefined {
    const rival = this.#rivals.get(hostId);
    return rival !== undefined && this.#clock.now() - rival.at < hostSilenceMs ? rival : undefined;
  }
}
