import type { EntityManager } from '@mikro-orm/sqlite';
import type { Holder } from '#contract/wire/host-greeting.ts';
import { jsonOf } from '#store/kernel/json.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { HostEntity, type StoredHost } from './host-entity.ts';

/** What a host itself has a say in. */
type HeardHost = Omit<StoredHost, 'key' | 'codingHarnesses' | 'confirmedLaunches' | 'holder'>;

/** The machines that agents are placed on. */
export class HostTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredHost | undefined> {
    return rowOf(this.#em, HostEntity, { id });
  }

  /** Every host, by name, but for those that people had forgotten: their rows stay for the agents that were there. */
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

  /** Writes a host down as it is now, whether it is known or new; its key, its holder and what is confirmed for it stay as they are. */
  async save({
    id,
    key: _,
    confirmedLaunches: __,
    holder: ___,
    ...rest
  }: HeardHost & Partial<StoredHost>): Promise<void> {
    const known = await this.#em.nativeUpdate(HostEntity, { id }, rest);
    if (known === 0) await this.#em.insert(HostEntity, { id, key: null, holder: null, confirmedLaunches: {}, ...rest });
  }

  /** Notes what a person lets a host's file of a harness launch, in the place of what was confirmed before. */
  async confirm({ id, confirmedLaunches }: StoredHost, harness: string, digest: string): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { confirmedLaunches: { ...confirmedLaunches, [harness]: digest } });
  }

  /** Takes back all that was confirmed for a host. */
  async confirmNothing(id: string): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { confirmedLaunches: {} });
  }

  /** Notes that a host is there, and how its machine is, where that is newer than what is noted; gives whether it was. */
  async pulse(id: string, { seenAt, condition }: Pick<StoredHost, 'seenAt' | 'condition'>): Promise<boolean> {
    const told = { seenAt, condition: condition && jsonOf(condition) };
    return (await this.#em.nativeUpdate(HostEntity, { id, seenAt: { $lt: seenAt } }, told)) > 0;
  }

  /** Moves when every host was seen by so many milliseconds, as the clock was. */
  async shift(milliseconds: number): Promise<void> {
    await this.#em.execute('update "host" set "seen_at" = "seen_at" + ?', [milliseconds]);
  }

  /** Notes which machine a host is. */
  async hold(id: string, holder: Holder): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { holder: jsonOf(holder) });
  }

  /** Notes the key that a host is known by from now on; null lets it come with another one, from any machine. */
  async bind(id: string, key: string | null): Promise<void> {
    await this.#em.nativeUpdate(HostEntity, { id }, { key, ...(key === null && { holder: null }) });
  }
}
