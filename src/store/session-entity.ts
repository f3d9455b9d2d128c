import { defineEntity, p } from '@mikro-orm/sqlite';

/** A browser in which the person is signed in. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    /** SHA-256 of the session's token and of its key's thumbprint, in hex. */
    hash: p.string().primary(),
    /** Milliseconds since 1970, as below. */
    createdAt: p.bigint('number'),
    expiresAt: p.bigint('number'),
  },
});
