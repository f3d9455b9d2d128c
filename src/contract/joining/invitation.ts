import { z } from 'zod';
import { enumeration, message } from '#contract/message.ts';

/** How long an invitation is valid, in milliseconds. */
export const invitationMs = 15 * 60_000;

/** What happened to an invitation. */
export const HostInvitationState = enumeration('host.v1.HostInvitationState', {
  HOST_INVITATION_STATE_UNSPECIFIED: 'No state; never sent.',
  HOST_INVITATION_STATE_OPEN: 'A machine may join with it, once.',
  HOST_INVITATION_STATE_USED: 'A machine has joined with it: `hostId`.',
  HOST_INVITATION_STATE_EXPIRED: 'Its time ran out before a machine used it.',
  HOST_INVITATION_STATE_WITHDRAWN: 'A person withdrew it before a machine used it.',
});

/** An invitation for one machine to join as a host. Timestamps are RFC 3339 in UTC. */
export const HostInvitation = message('host.v1.HostInvitation', {
  id: [1, z.string(), 'The id of the invitation in other calls: `inv_` and a ULID.'],
  state: [2, HostInvitationState, 'What happened to it.'],
  name: [3, z.string(), 'The name that the host gets. Unset: the machine’s own name.'],
  labels: [4, z.array(z.string()), 'The labels that the host gets, as `key=value`.'],
  createdAt: [5, z.string(), 'When it was made: RFC 3339, UTC.'],
  expiresAt: [6, z.string(), 'When it ends, 15 minutes after it was made: RFC 3339, UTC.'],
  hostId: [7, z.string(), 'The host that joined with it. Unset unless it was used.'],
  usedAt: [8, z.string(), 'When that host joined: RFC 3339, UTC. Unset unless it was used.'],
});
export type HostInvitation = z.infer<typeof HostInvitation>;
