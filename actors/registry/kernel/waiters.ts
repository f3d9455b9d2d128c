import type { Clock } from '#contract/clock.ts';

/** How long an agent counts as waiting after its last request: a waiting agent asks again within 15 s. */
const waitsMs = 20_000;

/**
 * Agents that wait for their doorbell through a call. It is remembered nowhere else: if it is lost, or an agent has
 * left unseen, its doorbell is rung by a typed line, only a few seconds later.
 */
export class Waiters {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  enter(agentId: string): void {
    this.#until.set(agentId, this.#clock.now() + waitsMs);
  }

  leave(agentId: string): void {
    this.#until.delete(agentId);
  }

  isWaiting(agentId: string): boolean {
    return (this.#until.get(agentId) ?? 0) > this.#clock.now();
  }
}
