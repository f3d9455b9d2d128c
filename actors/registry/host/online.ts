import { phaseOf } from '#machines/agent/agent-view.ts';
import { readHostContext } from '#machines/host/host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

/** Whether a host's beats arrive. */
export function isOnline({ snapshot }: Pick<StoredHost, 'snapshot'>): boolean {
  return phaseOf(snapshot.value) === 'online';
}

/** Whether a host has been silent for a while, and is expected back. */
export function isSilent({ snapshot }: Pick<StoredHost, 'snapshot'>): boolean {
  return phaseOf(snapshot.value) === 'silent';
}

/** Whether a host has been silent for longer than the patience with it, or a person removed it: it is not expected back. */
export function isLost({ snapshot }: Pick<StoredHost, 'snapshot'>): boolean {
  return ['lost', 'removed'].includes(phaseOf(snapshot.value));
}

/** Whether a person removed a host, so that it never returns. */
export function isRemoved({ snapshot }: Pick<StoredHost, 'snapshot'>): boolean {
  return phaseOf(snapshot.value) === 'removed';
}

/** Whether a person wants no new agents on a host. */
export function isDraining({ snapshot }: StoredHost): boolean {
  return readHostContext(snapshot).draining === true;
}
