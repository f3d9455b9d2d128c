import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { HostInvitation } from '#contract/joining/invitation.ts';
import type { StoredInvitation } from '#store/joining/host-invitation-entity.ts';

/** What happened to an invitation by a time, in milliseconds since 1970. */
export function stateOf({ endedAt, hostId, expiresAt }: StoredInvitation, now: number) {
  if (hostId != null) return 'HOST_INVITATION_STATE_USED';
  if (endedAt != null) return 'HOST_INVITATION_STATE_WITHDRAWN';
  return now < expiresAt ? 'HOST_INVITATION_STATE_OPEN' : 'HOST_INVITATION_STATE_EXPIRED';
}

/** Whether a machine may still join with an invitation. */
export function isOpen(invitation: StoredInvitation, now: number): boolean {
  return stateOf(invitation, now) === 'HOST_INVITATION_STATE_OPEN';
}

/** An invitation as a message of the contract. */
export function invitationOf(stored: StoredInvitation, now: number): HostInvitation {
  const { id, name, labels, createdAt, expiresAt, endedAt, hostId } = stored;
  return {
    id,
    state: stateOf(stored, now),
    ...(name != null && { name }),
    labels: Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    createdAt: timeOf(createdAt),
    expiresAt: timeOf(expiresAt),
    ...(hostId != null && endedAt != null && { hostId, usedAt: timeOf(endedAt) }),
  };
}
