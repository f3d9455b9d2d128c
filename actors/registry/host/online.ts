import { phaseOf } from '#machines/agent-view.ts';
import type { StoredHost } from '#store/host-entity.ts';

/** Whether a host has answered lately. */
export function isOnline({ snapshot }: Pick<StoredHost, 'snapshot'>): boolean {
  return phaseOf(snapshot.value) === 'online';
}
