import { defineEntity, p } from '@mikro-orm/sql';

/** A browser in which the person is signed in. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    /** The result of `storedHashOf` for the session's token and its key's thumbprint. */
    hash: p.string().primary(),
    /** Milliseconds since 1970, as below. */
    createdAt: p.bigint('number'),
    expiresAt: p.bigint('number'),
  },
});
