import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { RepositoryReading, RepositoryState } from '#contract/forge/repository-reading.ts';
import { readSweepContext } from '#machines/forge/sweep-context.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';

const states: Readonly<Record<string, RepositoryState>> = {
  due: 'REPOSITORY_STATE_DUE',
  sweeping: 'REPOSITORY_STATE_SWEEPING',
  unsettled: 'REPOSITORY_STATE_RESTING',
  rereading: 'REPOSITORY_STATE_SWEEPING',
  resting: 'REPOSITORY_STATE_RESTING',
  backingOff: 'REPOSITORY_STATE_BACKING_OFF',
  dormant: 'REPOSITORY_STATE_DORMANT',
};

/** A repository as a message of the contract. */
export function repositoryReadingOf(stored: StoredRepository): RepositoryReading {
  const { reason, lease } = readSweepContext(stored.snapshot);
  return {
    url: stored.url ?? stored.spelled,
    state: states[stored.state] ?? 'REPOSITORY_STATE_UNSPECIFIED',
    sweptAt: stored.sweptAt == null ? undefined : timeOf(stored.sweptAt),
    nextAt: stored.dueAt == null || lease !== null ? undefined : timeOf(stored.dueAt),
    failure: reason === '' ? undefined : reason,
    warning: stored.warning ?? undefined,
  };
}
