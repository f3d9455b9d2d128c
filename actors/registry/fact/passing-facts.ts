import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { Bus } from '#bus/bus.ts';
import { publishFact } from '#bus/facts.ts';
import type { Clock } from '#contract/clock.ts';
import type { Fact, PassingFactKind } from '#contract/fact/fact.ts';

/** For how long one is remembered, in milliseconds: whoever watches asks again within a heartbeat. */
const rememberedMs = 60_000;

/** Something that moves so often that it is kept in no log. */
interface Passing {
  readonly kind: PassingFactKind;
  readonly subjectId: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

interface Told extends Passing {
  readonly place: number;
  readonly at: number;
}

/**
 * What is told only to those who watch at that moment, such as that a script has written something. Of several of one kind
 * about one thing the newest is remembered, in this process alone: what follows makes good what is lost.
 */
export class PassingFacts {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #told = new Map<string, Told>();
  /** Begins with the time, so that a place from before a restart is not taken for a later one. */
  #place: number;

  constructor(bus: Bus, clock: Clock) {
    this.#bus = bus;
    this.#clock = clock;
    this.#place = clock.now();
  }

  /** The place of the newest one. */
  get place(): number {
    return this.#place;
  }

  tell(passing: Passing): void {
    const { kind, subjectId } = passing;
    const at = this.#clock.now();
    for (const [key, told] of this.#told) {
      if (told.at + rememberedMs >= at) break;
      this.#told.delete(key);
    }
    this.#place += 1;
    const key = JSON.stringify(passing);
    this.#told.delete(key);
    this.#told.set(key, { ...passing, place: this.#place, at });
    publishFact(this.#bus, { kind, seq: '0', subjectId });
  }

  /** Those of some kinds that were told after a place. */
  after(place: number, kinds: ReadonlySet<string>): Fact[] {
    return [...this.#told.values()]
      .filter((told) => told.place > place && kinds.has(told.kind))
      .map(({ kind, subjectId, at, detail }) => {
        return { seq: '0', kind, subjectId, at: timeOf(at), detail: JSON.stringify(detail) };
      });
  }
}
