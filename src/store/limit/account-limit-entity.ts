import { defineEntity, p } from '@mikro-orm/sql';
import type { AccountLimit } from '#contract/agent/park.ts';
import type { Row } from '#store/kernel/row.ts';

/** A limited account: its usage limit is reached, or its credential is not accepted. */
export const AccountLimitEntity = defineEntity({
  name: 'AccountLimit',
  tableName: 'account_limit',
  properties: {
    /** The host, the harness and the credentials there. */
    key: p.string().primary(),
    kind: p.string().$type<AccountLimit['kind']>(),
    /** The account, in words. */
    account: p.text(),
    /** Milliseconds since 1970. */
    since: p.bigint('number'),
    /** The end that a screen shows; null if none does. */
    until: p.bigint('number').nullable(),
    /** When it no longer counts: at that end, or earlier if that is far ahead or unknown; null if work alone ends it. */
    due: p.bigint('number').nullable(),
    /** How often its agents were tried again, because no end is known. */
    looks: p.integer(),
  },
});
export type StoredAccountLimit = Row<typeof AccountLimitEntity>;
