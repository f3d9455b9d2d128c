import { defineEntity, p } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { HostFigures } from '#contract/wire/figures.ts';
import type { HostCondition } from '#contract/wire/host-condition.ts';
import type { Holder } from '#contract/wire/host-greeting.ts';
import type { Row } from '#store/kernel/row.ts';

/** One machine that agents are placed on, as the registry sees it. */
export const HostEntity = defineEntity({
  name: 'Host',
  tableName: 'host',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    harnesses: p.json<readonly string[]>(),
    /** Those of its own harnesses that a coding agent is behind. */
    codingHarnesses: p.json<readonly string[]>().default('[]'),
    /** Grows with every commit of its machine. A commit names the one it was decided on. */
    version: p.integer().default(1),
    /** The host machine's persisted snapshot. */
    snapshot: p.json<StoredSnapshot>(),
    /** When it last beat, in milliseconds since 1970. */
    seenAt: p.bigint('number'),
    /**
     * What it last reported about its machine; null until it did. `measuredAt` is in milliseconds since 1970, by our
     * clock.
     */
    condition: p.json<HostCondition & { readonly measuredAt: number }>().nullable(),
    /**
     * The public key that it is known by, in base64url; null until it first came with one, and once a person released
     * it.
     */
    key: p.string().nullable(),
    /** Grows whenever a person has the key forgotten: a session that began before that does not count. */
    keyEpoch: p.integer().name('key_epoch').default(0),
    /** What it last counted; null until it reported that. */
    figures: p.json<HostFigures>().nullable().lazy(),
    /** Terminals that run on it and that the database does not know, by the family, as last reported. */
    foundTerminals: p.json<readonly string[]>().name('found_terminals').default('[]'),
    /** Which machine it is, by which a copy of its key is recognized; null until a host says so. */
    holder: p.json<Holder>().nullable(),
    /** The digest that people confirmed of what its files have launched, by harness. */
    confirmedLaunches: p.json<Readonly<Record<string, string>>>().name('confirmed_launches').default('{}'),
  },
});
export type StoredHost = Row<typeof HostEntity>;
