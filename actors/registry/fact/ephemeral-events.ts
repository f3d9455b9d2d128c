import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { Bus } from '#bus/bus.ts';
import { publishFact } from '#bus/facts.ts';
import type { Clock } from '#contract/clock.ts';
import type { EphemeralEventKind, Fact } from '#contract/fact/fact.ts';

/** How long an event is kept, in milliseconds: a watcher asks again within a heartbeat. */
const rememberedMs = 60_000;

/** An event that is too frequent for a log. */
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
 * Events for current watchers only, such as new output of a script. This process remembers the newest event of each
 * kind and subject; a later event makes up for a lost one.
 */
export class EphemeralEvents {
  readonly #bus: Bus;
  readonly #clock: Clock;
  readonly #published = new Map<string, Published>();
  /** Begins with the time, so that a position from before a restart never looks newer. */
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

  /** Events of some kinds that were published after a position. */
  after(place: number, kinds: ReadonlySet<string>): Fact[] {
    return [...this.#published.values()]
      .filter((published) => published.place > place && kinds.has(published.kind))
      .map(({ kind, subjectId, at, detail }) => {
        return { seq: '0', kind, subjectId, at: timeOf(at), detail: JSON.stringify(detail) };
      });
  }
}
