import type { EntityManager } from '@mikro-orm/sql';
import type { HostFigures } from '#contract/wire/figures.ts';
import type { Holder } from '#contract/wire/host-greeting.ts';
import { jsonOf } from '#store/kernel/json.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { runOnRows } from '#store/kernel/run-on-rows.ts';
import { HostEntity, type StoredHost } from './host-entity.ts';

/** A host's report about itself, apart from its machine's state. */
export type HostBeat = Pick<StoredHost, 'seenAt' | 'condition' | 'foundTerminals'> & { readonly figures?: HostFigures };

/** The settings of people for a host. */
export type HostSettings = Pick<
  StoredHost,
  'labels' | 'patienceMs' | 'maxAgents' | 'maxLaunches' | 'maxSetups' | 'maxAtWork' | 'minDiskFreeMib'
>;

const beatColumns = { id: 'text', at: 'number', condition: 'json', found: 'json', figures: 'json' } as const;

const updateBeats = `update "host" set "seen_at" = given."at", "condition" = given."condition",
    "found_terminals" = given."found", "figures" = coalesce(given."figures", "host"."figures")
  from given where "host"."id" = given."id" and "host"."seen_at" < given."at" returning "host"."id" as "id"`;

/** The machines on which agents are placed. */
export class HostTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredHost | undefined> {
    return rowOf(this.#em, HostEntity, { id });
  }

  /**
   * Every host, ordered by name, except forgotten and removed ones: their rows stay for the agents that were on them.
   */
  async all(): Promise<readonly StoredHost[]> {
    const rows = await rowsOf(this.#em, HostEntity, {}, { orderBy: { name: 'asc', id: 'asc' } });
    return rows.filter(({ snapshot: { value } }) => value !== 'forgotten' && value !== 'removed');
  }

  /** The hosts that were removed, and of which agents are still on the list, ordered by id. */
  async removed(): Promise<readonly StoredHost[]> {
    const left =
      'select distinct "host_id" as "id" from "agent" where "host_removed_at" is not null and "standing" <> ?';
    const rows = await this.#em.execute<{ id: string }[]>(left, ['gone']);
    const hosts = await rowsOf(
      this.#em,
      HostEntity,
      { id: { $in: rows.map(({ id }) => id) } },
      { orderBy: { id: 'asc' } },
    );
    return hosts.filter(({ snapshot: { value } }) => value === 'removed');
  }

  /** Whether there is no host, not even a forgotten one. */
  async isEmpty(): Promise<boolean> {
    return (await this.#em.count(HostEntity)) === 0;
  }

  /** Hosts that sent no beat since a time, in milliseconds since 1970, and on which no agent was ever placed. */
  async unusedSince(before: number): Promise<readonly StoredHost[]> {
    const unused = 'select "id" from "host" where "seen_at" < ? and "id" not in (select "host_id" from "agent")';
    const rows = await this.#em.execute<{ id: string }[]>(unused, [before]);
    return rowsOf(this.#em, HostEntity, { id: { $in: rows.map(({ id }) => id) } });
  }

  /** Deletes the rows of hosts, with their keys. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.#em.nativeDelete(HostEntity, { id: { $in: [...ids] } });
  }

  /** Limits the time of every host's last beat to `now`. */
  async limitSeenAt(now: number): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { seenAt: { $gt: now } }, { seenAt: now });
  }

  /** Saves a person's confirmation of a harness launch in a host's file. Replaces an earlier confirmation. */
  async confirm({ id, confirmedLaunches }: StoredHost, harness: string, digest: string): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { confirmedLaunches: { ...confirmedLaunches, [harness]: digest } });
  }

  /** Withdraws all confirmations for a host. */
  async confirmNothing(id: string): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { confirmedLaunches: {} });
  }

  /**
   * Saves hosts' reports about themselves, if they are newer than the stored ones; returns the ids of the updated
   * hosts. Metrics that were not reported stay as they are.
   */
  async saveBeats(beats: ReadonlyMap<string, HostBeat>): Promise<readonly string[]> {
    const rows = [...beats].map(([id, { seenAt, condition, foundTerminals, figures = null }]) => [
      id,
      seenAt,
      condition,
      foundTerminals,
      figures,
    ]);
    const updated = await runOnRows(this.#em, beatColumns, rows, updateBeats);
    return updated.map(({ id }) => String(id));
  }

  /** The metrics that hosts last reported, by host id. */
  async figures(): Promise<ReadonlyMap<string, HostFigures>> {
    const rows = await rowsOf(this.#em, HostEntity, {}, { columns: ['id', 'figures'] });
    return new Map(rows.flatMap(({ id, figures }) => (figures == null ? [] : [[id, figures] as const])));
  }

  /**
   * Moves the times of every host's last beat and state by this many milliseconds, because the clock was set by as
   * much.
   */
  async shift(milliseconds: number): Promise<void> {
    const shift = 'update "host" set "seen_at" = "seen_at" + ?, "state_since" = "state_since" + ?';
    await this.#em.execute(shift, [milliseconds, milliseconds]);
  }

  /** Saves the settings of people for a host. */
  async set(id: string, settings: HostSettings): Promise<void> {
    const { labels, ...limits } = settings;
    await this.#em.nativeUpdate(HostEntity, { id }, { ...limits, labels: jsonOf(labels) });
  }

  /** Saves the machine that runs a host. */
  async hold(id: string, holder: Holder): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { holder: jsonOf(holder) });
  }

  /** Forgets the machines of all hosts: for each host, the first process that connects becomes its holder. */
  async releaseAll(): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, {}, { holder: null });
  }

  /** Saves a host's key. Null forgets it, so that the host may connect with a new key, from any machine. */
  async bind(id: string, key: string | null): Promise<void> {
    await this.#em.execute(
      `update "host" set "key" = ?, "holder" = case when ? then null else "holder" end,
        "key_epoch" = "key_epoch" + case when ? then 1 else 0 end where "id" = ?`,
      [key, key === null, key === null, id],
    );
  }
}
