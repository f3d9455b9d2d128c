import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** An invitation for one machine to join as a host. Times are in milliseconds since 1970. */
export const HostInvitationEntity = defineEntity({
  name: 'HostInvitation',
  tableName: 'host_invitation',
  properties: {
    id: p.string().primary(),
    /** A hash of its token, which is never stored itself. */
    tokenHash: p.string().name('token_hash').unique(),
    /** The name that the host gets; null for the machine's own. */
    name: p.string().nullable(),
    labels: p.json<Readonly<Record<string, string>>>().default('{}'),
    createdAt: p.bigint('number').name('created_at'),
    expiresAt: p.bigint('number').name('expires_at'),
    /** When it was used or withdrawn; null while it was neither. */
    endedAt: p.bigint('number').name('ended_at').nullable(),
    /** The host that joined with it. */
    hostId: p.string().name('host_id').nullable(),
  },
});
export type StoredInvitation = Row<typeof HostInvitationEntity>;
