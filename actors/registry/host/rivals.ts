import type { Clock } from '#contract/clock.ts';
import type { Holder } from '#contract/wire/host-greeting.ts';
import { hostSilenceMs } from '#machines/host/host.ts';

/** Who else comes with a host's id and key. */
interface Rival extends Holder {
  /** When it last came, in milliseconds since 1970. */
  readonly at: number;
}

/** Those that were refused because another machine is the host: kept in memory, for as long as they keep coming. */
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
