import type { EntityManager } from '@mikro-orm/sql';
import type { HostFigures } from '#contract/wire/figures.ts';
import type { Holder } from '#contract/wire/host-greeting.ts';
import { jsonOf } from '#store/kernel/json.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { runOnRows } from '#store/kernel/run-on-rows.ts';
import { HostEntity, type StoredHost } from './host-entity.ts';

/** What a host reports about itself beside its machine's state. */
export type Pulse = Pick<StoredHost, 'seenAt' | 'condition' | 'foundTerminals'> & { readonly figures?: HostFigures };

const pulseColumns = { id: 'text', at: 'number', condition: 'json', found: 'json', figures: 'json' } as const;

const notePulses = `update "host" set "seen_at" = given."at", "condition" = given."condition",
    "found_terminals" = given."found", "figures" = coalesce(given."figures", "host"."figures")
  from given where "host"."id" = given."id" and "host"."seen_at" < given."at" returning "host"."id" as "id"`;

/** The machines that agents are placed on. */
export class HostTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredHost | undefined> {
    return rowOf(this.#em, HostEntity, { id });
  }

  /**
   * Every host, by name, except for those that people had forgotten: their rows stay for the agents that were there.
   */
  async all(): Promise<readonly StoredHost[]> {
    const rows = await rowsOf(this.#em, HostEntity, {}, { orderBy: { name: 'asc', id: 'asc' } });
    return rows.filter(({ snapshot }) => snapshot.value !== 'forgotten');
  }

  /** Whether any host ever came, forgotten ones too. */
  async isEmpty(): Promise<boolean> {
    return (await this.#em.count(HostEntity)) === 0;
  }

  /** Hosts that were not heard since a time, in milliseconds since 1970, and that no agent was ever placed on. */
  async unusedSince(before: number): Promise<readonly StoredHost[]> {
    const unused = 'select "id" from "host" where "seen_at" < ? and "id" not in (select "host_id" from "agent")';
    const rows = await this.#em.execute<{ id: string }[]>(unused, [before]);
    return rowsOf(this.#em, HostEntity, { id: { $in: rows.map(({ id }) => id) } });
  }

  /** Removes hosts whole, with their keys. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.#em.nativeDelete(HostEntity, { id: { $in: [...ids] } });
  }

  /** No host was seen after a time. */
  async seenBy(now: number): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { seenAt: { $gt: now } }, { seenAt: now });
  }

  /** Notes what a person lets a host's file of a harness launch, in the place of what was confirmed before. */
  async confirm({ id, confirmedLaunches }: StoredHost, harness: string, digest: string): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { confirmedLaunches: { ...confirmedLaunches, [harness]: digest } });
  }

  /** Takes back all that was confirmed for a host. */
  async confirmNothing(id: string): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { confirmedLaunches: {} });
  }

  /**
   * Notes what hosts reported about themselves, each if it is newer than what is noted; returns the ids of those. What
   * was not reported stays as it is.
   */
  async pulse(pulses: ReadonlyMap<string, Pulse>): Promise<readonly string[]> {
    const rows = [...pulses].map(([id, { seenAt, condition, foundTerminals, figures = null }]) => [
      id,
      seenAt,
      condition,
      foundTerminals,
      figures,
    ]);
    const noted = await runOnRows(this.#em, pulseColumns, rows, notePulses);
    return noted.map(({ id }) => String(id));
  }

  /** What hosts last counted, by their ids. */
  async figures(): Promise<ReadonlyMap<string, HostFigures>> {
    const rows = await rowsOf(this.#em, HostEntity, {}, { columns: ['id', 'figures'] });
    return new Map(rows.flatMap(({ id, figures }) => (figures == null ? [] : [[id, figures] as const])));
  }

  /** Moves when every host was seen by so many milliseconds, as the clock was. */
  async shift(milliseconds: number): Promise<void> {
    await this.#em.execute('update "host" set "seen_at" = "seen_at" + ?', [milliseconds]);
  }

  /** Notes which machine a host is. */
  async hold(id: string, holder: Holder): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { holder: jsonOf(holder) });
  }

  /** Notes that no process is known to be any of the hosts: whichever comes first is it. */
  async releaseAll(): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, {}, { holder: null });
  }

  /** Notes the key that a host is known by from now on; null lets it come with another one, from any machine. */
  async bind(id: string, key: string | null): Promise<void> {
    await this.#em.execute(
      `update "host" set "key" = ?, "holder" = case when ? then null else "holder" end,
        "key_epoch" = "key_epoch" + case when ? then 1 else 0 end where "id" = ?`,
      [key, key === null, key === null, id],
    );
  }
}
