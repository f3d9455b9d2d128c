import { z } from 'zod';
import type { PeerHints } from '#actors/registry/peer/peer-hints.ts';
import type { Clock } from '#contract/clock.ts';

/**
 * How long an agent counts as waiting after its last request, in milliseconds. A waiting agent repeats it every 15 s.
 */
const waitsMs = 20_000;

/** The topic of hints about waiting agents. */
const topic = 'waiting';
const Hint = z.object({ agentId: z.string(), isWaiting: z.boolean() });

/**
 * Agents that wait for their doorbell in a call. They are kept only in memory: if that is lost, or an agent has stopped
 * waiting unnoticed, its doorbell is typed a few seconds later.
 */
export class Waiters {
  readonly #clock: Clock;
  readonly #hints: PeerHints;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock, hints: PeerHints) {
    this.#clock = clock;
    this.#hints = hints;
    hints.listen(topic, Hint, ({ agentId, isWaiting }) => this.#note(agentId, isWaiting));
  }

  enter(agentId: string): void {
    this.#note(agentId, true);
    this.#hints.send(topic, { agentId, isWaiting: true });
  }

  leave(agentId: string): void {
    this.#note(agentId, false);
    this.#hints.send(topic, { agentId, isWaiting: false });
  }

  #note(agentId: string, isWaiting: boolean): void {
    if (isWaiting) this.#until.set(agentId, this.#clock.now() + waitsMs);
    else this.#until.delete(agentId);
  }

  isWaiting(agentId: string): boolean {
    return (this.#until.get(agentId) ?? 0) > this.#clock.now();
  }
}
