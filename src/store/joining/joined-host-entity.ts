import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** A machine that joined by an invitation: its certified identity on the bus. Times are in milliseconds since 1970. */
export const JoinedHostEntity = defineEntity({
  name: 'JoinedHost',
  tableName: 'joined_host',
  properties: {
    hostId: p.string().name('host_id').primary(),
    /** The name that the invitation assigned, or its own. */
    name: p.string(),
    labels: p.json<Readonly<Record<string, string>>>().default('{}'),
    /** The public keys of its processes on the bus. They never change. */
    hostKey: p.string().name('host_key').unique(),
    gatewayKey: p.string().name('gateway_key').unique(),
    joinedAt: p.bigint('number').name('joined_at'),
    /** Until when its newest certificates are valid. */
    certifiedUntil: p.bigint('number').name('certified_until'),
    /** When a person removed it; null while it belongs to the installation. */
    removedAt: p.bigint('number').name('removed_at').nullable(),
  },
});
export type StoredJoinedHost = Row<typeof JoinedHostEntity>;
