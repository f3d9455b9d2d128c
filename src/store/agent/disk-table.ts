import type { EntityManager } from '@mikro-orm/sql';
import type { FactTable } from '#store/fact/fact-table.ts';
import { Fragment } from '#store/kernel/condition.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { AgentEntity, type StoredAgent } from './agent-entity.ts';

/** A request for a page of archived agents that may have a worktree. */
interface ArchivedPage {
  /** The id after which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
  /** Only these agents. */
  readonly ids?: readonly string[] | undefined;
  readonly workflowId?: string | undefined;
}

/** An agent whose worktree is to be measured. */
export type UnmeasuredAgent = Pick<StoredAgent, 'id' | 'host' | 'diskMeasuredAt'>;

/** How much disk the worktrees of agents take. */
export class DiskTable {
  readonly #em: EntityManager;
  readonly #facts: FactTable;

  constructor(em: EntityManager, facts: FactTable) {
    this.#em = em;
    this.#facts = facts;
  }

  /** Saves a measurement. It is published only if it differs, and is no reason to list the agent as updated. */
  async set({ id, diskBytes: before }: StoredAgent, diskBytes: number, diskMeasuredAt: number): Promise<void> {
    const fact = { kind: 'agent.measured', subjectId: id, detail: { bytes: diskBytes } };
    const movedSeq = diskBytes === before ? undefined : await this.#facts.append([fact]);
    const columns = { diskBytes, diskMeasuredAt, ...(movedSeq !== undefined && { movedSeq }) };
    await this.#em.nativeUpdate(AgentEntity, { id }, columns);
  }

  /** An agent on a host that is not archived and works in a directory or below it. */
  async userOf(host: string, directory: string): Promise<StoredAgent | undefined> {
    const present = await rowsOf(this.#em, AgentEntity, { host, standing: 'present', queued: false });
    return present.find(({ cwd }) => cwd === directory || cwd.startsWith(`${directory}/`));
  }

  /** Archived agents that may have a worktree, in the order of their ids. */
  archived({ after = '', limit, ids, workflowId }: ArchivedPage): Promise<readonly StoredAgent[]> {
    const which = {
      standing: 'archived' as const,
      queued: false,
      $or: [{ worktreeRemoved: false }, { diskBytes: { $gt: 0 } }],
      ...(workflowId !== undefined && { workflowId }),
      id: { ...(ids && { $in: [...ids] }), $gt: after },
    };
    return rowsOf(this.#em, AgentEntity, which, { orderBy: { id: 'asc' }, limit });
  }

  /**
   * Agents of these hosts with a worktree of their own that was not measured since a time, and when it last was. There
   * is no limit, since some may never be measurable.
   */
  stale(before: number, hosts: readonly string[]): Promise<readonly UnmeasuredAgent[]> {
    const which = {
      host: { $in: [...hosts] },
      standing: { $in: ['present' as const, 'archived' as const] },
      queued: false,
      worktreeRemoved: false,
      $or: [{ diskMeasuredAt: null }, { diskMeasuredAt: { $lt: before } }],
      $sql: new Fragment(`cast("launch" -> 'provision' as text) = 'true'`),
    };
    return rowsOf(this.#em, AgentEntity, which, { columns: ['id', 'host', 'diskMeasuredAt'] });
  }
}
