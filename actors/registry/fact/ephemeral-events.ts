import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { Bus } from '#bus/bus.ts';
import { publishFact } from '#bus/facts.ts';
import type { Clock } from '#contract/clock.ts';
import type { EphemeralEventKind, Fact } from '#contract/fact/fact.ts';

/** How long an event is kept, in milliseconds: a watcher asks again within a heartbeat. */
const rememberedMs = 60_000;

/** Something that moves so often that it is kept in no log. */
interface EphemeralEvent {
  readonly kind: EphemeralEventKind;
  readonly subjectId: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

interface Published extends EphemeralEvent {
  readonly place: number;
  readonly at: number;
}

/**
 * Events for those who watch at that moment only, such as new output of a script. Of several of one kind
 * about one thing the newest is remembered, in this process alone: what follows makes good what is lost.
 */
export class EphemeralEvents {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #published = new Map<string, Published>();
  /** Begins with the time, so that a place from before a restart is not taken for a later one. */
  #place: number;

  constructor(bus: Bus, clock: Clock) {
    this.#bus = bus;
    this.#clock = clock;
    this.#place = clock.now();
  }

  /** The position of the newest one. */
  get place(): number {
    return this.#place;
  }

  publish(event: EphemeralEvent): void {
    const { kind, subjectId } = event;
    const at = this.#clock.now();
    for (const [key, published] of this.#published) {
      if (published.at + rememberedMs >= at) break;
      this.#published.delete(key);
    }
    this.#place += 1;
    const key = JSON.stringify(event);
    this.#published.delete(key);
    this.#published.set(key, { ...event, place: this.#place, at });
    publishFact(this.#bus, { kind, seq: '0', subjectId });
  }

  /** Those of some kinds that were published after a place. */
  after(place: number, kinds: ReadonlySet<string>): Fact[] {
    return [...this.#published.values()]
      .filter((published) => published.place > place && kinds.has(published.kind))
      .map(({ kind, subjectId, at, detail }) => {
        return { seq: '0', kind, subjectId, at: timeOf(at), detail: JSON.stringify(detail) };
      });
  }
}
