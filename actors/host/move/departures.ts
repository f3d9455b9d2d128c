import type { Observe } from '#actors/host/agent/moment.ts';
import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import type { Log } from '#contract/process-context.ts';
import type { Departure } from '#contract/wire/departure.ts';
import { type RemovalScope, removeDeparted } from './remove-departed.ts';

export interface DeparturesOptions extends RemovalScope {
  readonly registry: Pick<RegistryClient, 'departed'>;
  readonly observe: Observe;
  readonly log: Log;
}

/**
 * Cleans up after agents that moved to other hosts. The registry lists them with each read of changes until the
 * host has reported the result, so a crash at any point only repeats it.
 */
export class Departures {
  readonly #options: DeparturesOptions;
  /** Departures whose clean-up is in progress. */
  readonly #busy = new Set<string>();

  constructor(options: DeparturesOptions) {
    this.#options = options;
  }

  /** `release` ends the actor of an agent of an epoch before the given one. */
  note(departures: readonly Departure[], release: (agentId: string, epoch: number) => Promise<void>): void {
    for (const departure of departures) {
      const { id, record, epoch } = departure;
      const released = release(record.id, epoch);
      if (departure.remains === 'kept' || this.#busy.has(id)) continue;
      this.#busy.add(id);
      released
        .then(() => this.#dealWith(departure))
        .catch((err: unknown) =>
          this.#options.log.error(
            { err, agentId: record.id },
            'what an agent left here could not be taken away: retrying',
          ),
        )
        .finally(() => this.#busy.delete(id));
    }
  }

  async #dealWith(departure: Departure): Promise<void> {
    const { observe, registry, log } = this.#options;
    const about = { agentId: departure.record.id, about: 'removeDeparted' };
    observe({ name: 'before-effect', ...about });
    const remains = await removeDeparted(this.#options, departure);
    observe({ name: 'after-effect', ...about });
    await registry.departed(departure.id, remains);
    log.info({ agentId: departure.record.id, remains }, 'an agent has moved to another host');
  }
}
