import { defineEntity, p } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { HostFigures } from '#contract/wire/figures.ts';
import type { HostCondition } from '#contract/wire/host-condition.ts';
import type { Holder } from '#contract/wire/host-greeting.ts';
import type { Row } from '#store/kernel/row.ts';

/** A host's report about its machine, and its time, in milliseconds since 1970 by the registry's clock. */
type StoredCondition = HostCondition & {
  readonly measuredAt: number;
  /** By how many milliseconds its clock was ahead of the registry's. */
  readonly clockOffsetMs?: number | undefined;
};

/** A machine on which agents are placed, as the registry knows it. */
export const HostEntity = defineEntity({
  name: 'Host',
  tableName: 'host',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    harnesses: p.json<readonly string[]>(),
    /** Those of its own harnesses that run a coding agent. */
    codingHarnesses: p.json<readonly string[]>().default('[]'),
    /** Each commit of its machine increments it, and names the version that it was decided on. */
    version: p.integer().default(1),
    /** The host machine's persisted snapshot. */
    snapshot: p.json<StoredSnapshot>(),
    /** When it last sent a beat, in milliseconds since 1970. */
    seenAt: p.bigint('number'),
    /**
     * Its last report about its machine; null before the first.
     */
    condition: p.json<StoredCondition>().nullable(),
    /**
     * Its public key, in base64url; null before its first session, and after a person has removed the key.
     */
    key: p.string().nullable(),
    /** Incremented when a person removes the key. Sessions that began before are no longer valid. */
    keyEpoch: p.integer().name('key_epoch').default(0),
    /** The metrics that it last reported; null until it has. */
    figures: p.json<HostFigures>().nullable().lazy(),
    /** Families whose terminals run on it although the database does not have them, as last reported. */
    foundTerminals: p.json<readonly string[]>().name('found_terminals').default('[]'),
    /** The machine and folder that run it, by which a copy of its key is detected; null until it reports them. */
    holder: p.json<Holder>().nullable(),
    /** The digests of launches from its files that people confirmed, by harness. */
    confirmedLaunches: p.json<Readonly<Record<string, string>>>().name('confirmed_launches').default('{}'),
    /** Since when it has been in its state, in milliseconds since 1970; null if that is not known. */
    stateSince: p.bigint('number').name('state_since').nullable(),
    // The settings of people; null for the default.
    /** Its labels by key, which placement selects hosts by. */
    labels: p.json<Readonly<Record<string, string>>>().default('{}'),
    /** The silence after which it counts as lost, in milliseconds. */
    patienceMs: p.integer().name('patience_ms').nullable(),
    /** How many agents it may have, not counting archived ones. */
    maxAgents: p.integer().name('max_agents').nullable(),
    /** How many launches, and how many setup scripts, it may have in progress. */
    maxLaunches: p.integer().name('max_launches').nullable(),
    maxSetups: p.integer().name('max_setups').nullable(),
    /** From how many agents at work it takes no launches. */
    maxAtWork: p.integer().name('max_at_work').nullable(),
    /** Below how much free space it takes no launches, in MiB. */
    minDiskFreeMib: p.integer().name('min_disk_free_mib').nullable(),
  },
});
export type StoredHost = Row<typeof HostEntity>;
