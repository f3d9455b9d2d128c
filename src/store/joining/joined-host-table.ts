import type { EntityManager } from '@mikro-orm/sql';
import { jsonOf } from '#store/kernel/json.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { JoinedHostEntity, type StoredJoinedHost } from './joined-host-entity.ts';

/** The machines that joined by an invitation, and their keys on the bus. Rows stay, so that no key is reused. */
export class JoinedHostTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(hostId: string): Promise<StoredJoinedHost | undefined> {
    return rowOf(this.#em, JoinedHostEntity, { hostId });
  }

  all(): Promise<readonly StoredJoinedHost[]> {
    return rowsOf(this.#em, JoinedHostEntity, {}, { orderBy: { hostId: 'asc' } });
  }

  async insert(host: StoredJoinedHost): Promise<void> {
    await this.#em.insert(JoinedHostEntity, { ...host, labels: jsonOf(host.labels) });
  }

  /** Records the expiry of a host's newest certificates. */
  async certify(hostId: string, certifiedUntil: number): Promise<void> {
    await this.#em.nativeUpdate(JoinedHostEntity, { hostId }, { certifiedUntil });
  }

  /** Removes a host permanently; false if it was removed already. */
  async remove(hostId: string, removedAt: number): Promise<boolean> {
    return (await this.#em.nativeUpdate(JoinedHostEntity, { hostId, removedAt: null }, { removedAt })) > 0;
  }
}
