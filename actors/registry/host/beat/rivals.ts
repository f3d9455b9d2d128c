import { z } from 'zod';
import type { PeerHints } from '#actors/registry/peer/peer-hints.ts';
import type { Clock } from '#contract/clock.ts';
import { Holder } from '#contract/wire/host-greeting.ts';
import { minSilenceMs } from '#machines/host/beats.ts';

/** A second machine that uses a host's id and key. */
interface Rival extends Holder {
  /** When it last tried, in milliseconds since 1970. */
  readonly at: number;
}

/** The topic of hints about rivals. */
const topic = 'rival';
const Hint = z.object({ hostId: z.string(), holder: Holder });

/** Machines refused because another one holds the host's lease. Kept in memory, for as long as they keep trying. */
export class Rivals {
  readonly #clock: Clock;
  readonly #hints: PeerHints;
  readonly #rivals = new Map<string, Rival>();

  constructor(clock: Clock, hints: PeerHints) {
    this.#clock = clock;
    this.#hints = hints;
    hints.listen(topic, Hint, ({ hostId, holder }) => this.#note(hostId, holder));
  }

  note(hostId: string, holder: Holder): void {
    this.#note(hostId, holder);
    this.#hints.send(topic, { hostId, holder });
  }

  #note(hostId: string, holder: Holder): void {
    this.#rivals.set(hostId, { ...holder, at: this.#clock.now() });
  }

  of(hostId: string): Rival | undefined {
    const rival = this.#rivals.get(hostId);
    return rival !== undefined && this.#clock.now() - rival.at < minSilenceMs ? rival : undefined;
  }
}
