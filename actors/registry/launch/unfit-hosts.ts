import type { Clock } from '#contract/clock.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { UnfitReasons } from './launch-order.ts';

/** How long to wait before retrying a launch on a host that could not take it, in milliseconds. */
const triedAgainAfter = 5_000;

/** Hosts that recently could not take a queued launch. Kept in memory: each registry finds out itself. */
export class UnfitHosts {
  readonly #clock: Clock;
  readonly #found = new Map<string, Map<string, { readonly why: string; readonly at: number }>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records why hosts cannot take the launch of an agent. */
  note(agent: string, hosts: readonly StoredHost[], why: string): void {
    const found = this.#found.get(agent) ?? new Map<string, { why: string; at: number }>();
    for (const { id } of hosts) found.set(id, { why, at: this.#clock.now() });
    this.#found.set(agent, found);
  }

  /** Returns the reasons that are still valid. */
  current(): UnfitReasons {
    const now = this.#clock.now();
    for (const [agent, found] of this.#found) {
      for (const [host, { at }] of found) if (Math.abs(now - at) >= triedAgainAfter) found.delete(host);
      if (found.size === 0) this.#found.delete(agent);
    }
    return new Map(
      [...this.#found].map(([agent, found]) => [agent, new Map([...found].map(([host, { why }]) => [host, why]))]),
    );
  }
}
