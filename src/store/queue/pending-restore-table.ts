import type { EntityManager } from '@mikro-orm/sql';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { type PendingRestore, PendingRestoreEntity } from './pending-restore-entity.ts';

/**
 * How many agents of each host have a CLI that starts: those that are being set up, and those whose new window has not
 * been read yet, unless that takes longer than usual.
 */
const starting = `select "host_id" as "host", count(*) as "count" from "agent"
  where "standing" = 'present' and not "queued" and ("state" = 'AGENT_STATE_SETTING_UP'
    or ("state" = 'AGENT_STATE_UNCERTAIN' and "alive" and "state_changed_at" > ?))
  group by "host_id"`;

/** The agents that wait to be restored. */
export class PendingRestoreTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /** All of them, the longest wait first. */
  inOrder(): Promise<readonly PendingRestore[]> {
    return rowsOf(this.#em, PendingRestoreEntity, {}, { orderBy: { since: 'asc', agent: 'asc' } });
  }

  /** Adds an agent at the end, unless it waits already. `since` is in milliseconds since 1970. */
  async add(agent: string, since: number): Promise<void> {
    if ((await rowOf(this.#em, PendingRestoreEntity, { agent })) !== undefined) return;
    await this.#em.insert(PendingRestoreEntity, { agent, since });
  }

  /** Removes an agent; false if it does not wait. */
  async remove(agent: string): Promise<boolean> {
    return (await this.#em.nativeDelete(PendingRestoreEntity, { agent })) > 0;
  }

  /**
   * How many CLIs are starting on each host, by its id. A window opened before `openedAfter`, in milliseconds since
   * 1970, no longer counts, even if it has not been read.
   */
  async countStarting(openedAfter: number): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#em.execute<{ readonly host: string; readonly count: number | bigint }[]>(starting, [
      openedAfter,
    ]);
    return new Map(rows.map(({ host, count }) => [host, Number(count)]));
  }
}
