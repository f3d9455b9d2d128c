import type { EntityManager } from '@mikro-orm/sql';
import { newestFirst, type Position, past } from '#store/kernel/keyset.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import { type StoredWorkflow, WorkflowEntity } from './workflow-entity.ts';

/** The workflows. */
export class WorkflowTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  find(id: string): Promise<StoredWorkflow | undefined> {
    return rowOf(this.#em, WorkflowEntity, { id });
  }

  findByName(name: string): Promise<StoredWorkflow | undefined> {
    return rowOf(this.#em, WorkflowEntity, { name });
  }

  /** A page of workflows, most recently updated first, after a position. */
  async page(position: Position | undefined, limit: number): Promise<readonly StoredWorkflow[]> {
    return rowsOf(this.#em, WorkflowEntity, past(position), { orderBy: newestFirst, limit });
  }

  /**
   * The repositories that a person confirmed for the agents of workflows, by the workflow's id; of all workflows if
   * `ids` is undefined.
   */
  async repositoriesOf(ids?: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const which = ids === undefined ? {} : { id: { $in: [...new Set(ids)] } };
    const rows = await rowsOf(this.#em, WorkflowEntity, which, { columns: ['id', 'repositories'] });
    return new Map(rows.map(({ id, repositories }) => [id, repositories]));
  }

  /** The hosts, by id or name, that workflows name: for their own agents, or for those that their agents may launch. */
  async hostsNamed(): Promise<ReadonlySet<string>> {
    const rows = await rowsOf(this.#em, WorkflowEntity, {}, { columns: ['host', 'agentsMayLaunch'] });
    return new Set(rows.flatMap(({ host, agentsMayLaunch }) => [host, ...(agentsMayLaunch.hosts ?? [])]));
  }

  /** The name of a workflow whose agents get this profile; undefined if there is none. */
  async nameWithProfile(profileId: string): Promise<string | undefined> {
    const rows = await rowsOf(this.#em, WorkflowEntity, { profileId }, { limit: 1, columns: ['name'] });
    return rows[0]?.name;
  }

  /** The workflows that say when something of their archived agents is deleted. */
  async withArchivePolicy(): Promise<readonly StoredWorkflow[]> {
    const rows = await rowsOf(this.#em, WorkflowEntity, {});
    return rows.filter(({ archivePolicy: { buildFoldersAfterDays, worktreesAfterDays } }) =>
      Boolean(buildFoldersAfterDays || worktreesAfterDays),
    );
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
