import type { EntityManager } from '@mikro-orm/sql';
import { AgentEntity } from '#store/agent/agent-entity.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { QueuedLaunchEntity, type StoredQueuedLaunch } from './queued-launch-entity.ts';

/** The launches that wait for a host. */
export class QueuedLaunchTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(agent: string): Promise<StoredQueuedLaunch | undefined> {
    return rowOf(this.#em, QueuedLaunchEntity, { agent });
  }

  /** Those that wait now, in their order: without those that were archived, or whose launch has failed. */
  async waiting(): Promise<readonly StoredQueuedLaunch[]> {
    const which = { queued: true, standing: 'present' as const, state: 'AGENT_STATE_SETTING_UP' as const };
    const agents = await rowsOf(this.#em, AgentEntity, which, { columns: ['id'] });
    if (agents.length === 0) return [];
    const inOrder = { orderBy: { queuedAt: 'asc', agent: 'asc' } } as const;
    return rowsOf(this.#em, QueuedLaunchEntity, { agent: { $in: agents.map(({ id }) => id) } }, inOrder);
  }

  async insert(launch: StoredQueuedLaunch): Promise<void> {
    await this.#em.insert(QueuedLaunchEntity, launch);
  }

  /** Moves a launch to another place in the order. */
  async requeue(agent: string, queuedAt: number): Promise<void> {
    await this.#em.nativeUpdate(QueuedLaunchEntity, { agent }, { queuedAt });
  }

  /** Removes a launch, if it is there. */
  async remove(agent: string): Promise<void> {
    await this.#em.nativeDelete(QueuedLaunchEntity, { agent });
  }
}
