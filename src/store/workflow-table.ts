import type { EntityManager } from '@mikro-orm/sqlite';
import { fresh } from './fresh.ts';
import { newestFirst, type Position, past } from './keyset.ts';
import { type StoredWorkflow, WorkflowEntity } from './workflow-entity.ts';

/** What agents are launched into. */
export class WorkflowTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  async find(id: string): Promise<StoredWorkflow | undefined> {
    return (await this.#em.findOne(WorkflowEntity, { id }, fresh)) ?? undefined;
  }

  async findByName(name: string): Promise<StoredWorkflow | undefined> {
    return (await this.#em.findOne(WorkflowEntity, { name }, fresh)) ?? undefined;
  }

  /** A page of workflows, most recently updated first, after a position. */
  async page(position: Position | undefined, limit: number): Promise<readonly StoredWorkflow[]> {
    return this.#em.find(WorkflowEntity, past(position), { ...fresh, orderBy: newestFirst, limit });
  }

  async insert(workflow: StoredWorkflow): Promise<void> {
    await this.#em.insert(WorkflowEntity, workflow);
  }

  async update({ id, ...rest }: StoredWorkflow): Promise<void> {
    await this.#em.nativeUpdate(WorkflowEntity, { id }, rest);
  }

  async remove(id: string): Promise<void> {
    await this.#em.nativeDelete(WorkflowEntity, { id });
  }
}
