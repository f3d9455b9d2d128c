import { z } from 'zod';
import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { PeerHints } from '#actors/registry/peer/peer-hints.ts';
import type { Bus } from '#bus/bus.ts';
import { publishFact } from '#bus/facts.ts';
import type { Clock } from '#contract/clock.ts';
import { type EphemeralEventKind, ephemeralEventKinds, type Fact } from '#contract/fact/fact.ts';

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

/** What ephemeral events are published with. */
interface EventScope {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly hints: PeerHints;
}

/** The topic of the hints that other registries remember an event by. */
const topic = 'event';
const Hint = z.object({
  kind: z.enum(Object.keys(ephemeralEventKinds) as [EphemeralEventKind, ...EphemeralEventKind[]]),
  subjectId: z.string(),
  detail: z.record(z.string(), z.unknown()),
  place: z.int(),
  at: z.number(),
});

/**
 * Events for current watchers only, such as new output of a script. Every registry remembers the newest event of each
 * kind and subject; a later event makes up for a lost one.
 */
export class EphemeralEvents {
  readonly #scope: EventScope;
  readonly #published = new Map<string, Published>();
  /** Begins with the time, so that a position from before a restart never looks newer. */
  #place: number;

  constructor(scope: EventScope) {
    this.#scope = scope;
    this.#place = scope.clock.now();
    scope.hints.listen(topic, Hint, (hint) => this.#remember(hint));
  }

  /** The position of the newest one. */
  get place(): number {
    return this.#place;
  }

  publish({ kind, subjectId, detail }: EphemeralEvent): void {
    const { bus, clock, hints } = this.#scope;
    const published = { kind, subjectId, detail, place: this.#place + 1, at: clock.now() };
    this.#remember(published);
    // Before the hint that others read at: they may read at another registry.
    hints.send(topic, published);
    publishFact(bus, { kind, seq: '0', subjectId });
  }

  #remember(event: Published): void {
    for (const [key, published] of this.#published) {
      if (published.at + rememberedMs >= event.at) break;
      this.#published.delete(key);
    }
    // Another registry counts for itself: the place that a watcher has of either is no newer than what it has not seen.
    this.#place = Math.max(this.#place + 1, event.place);
    const { kind, subjectId, detail } = event;
    const key = JSON.stringify({ kind, subjectId, detail });
    this.#published.delete(key);
    this.#published.set(key, { ...event, place: this.#place });
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
