import type { EntityManager } from '@mikro-orm/sql';
import { newestFirst, type Position, past } from '#store/kernel/keyset.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { AgentEntity, type AgentPresence, type StoredAgent } from './agent-entity.ts';

/** How a text may match an agent: the whole of an id, a name or a mark, or its beginning. */
export type Match = 'id' | 'name' | 'mark' | 'nameStart' | 'idStart';

/** An agent that a text may match. */
export interface MatchedAgent {
  readonly id: string;
  readonly name: string;
}

/** Finds agents by id, name or mark, always through an index. It does not find deleted agents. */
export class AgentSearch {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /**
   * The agents that match a text in one way, among the archived ones or among the others, most recently updated first.
   */
  async matching(
    standing: Exclude<AgentPresence, 'gone'>,
    match: Match,
    text: string,
  ): Promise<readonly MatchedAgent[]> {
    const columns = ['id', 'name', 'standing', 'updatedAt'] as const;
    const found = await rowsOf(this.#em, AgentEntity, condition(standing, match, text), { columns });
    return found.filter((one) => one.standing === standing).toSorted(compareNewest);
  }

  /** The agents with a window that wait for a person. */
  asking(): Promise<readonly StoredAgent[]> {
    return rowsOf(this.#em, AgentEntity, { standing: 'present', state: 'AGENT_STATE_WAITING', alive: true });
  }

  /** A page of the agents that are not archived, or were archived since a time, most recently updated first. */
  presentSince(since: number, after: Position | undefined, limit: number): Promise<readonly StoredAgent[]> {
    const archived = { standing: 'archived' as const, archivedAt: { $gte: since } };
    const which = { $or: [{ standing: 'present' as const }, archived] };
    return rowsOf(this.#em, AgentEntity, { ...which, ...past(after) }, { orderBy: newestFirst, limit });
  }

  /** The names of all agents. */
  async names(): Promise<readonly string[]> {
    const which = { standing: { $in: ['present' as const, 'archived' as const] } };
    return (await rowsOf(this.#em, AgentEntity, which, { columns: ['name'] })).map(({ name }) => name);
  }
}

type TextCondition = string | { readonly $gte: string; readonly $lt: string };
interface Condition {
  readonly id?: TextCondition;
  readonly name?: TextCondition;
  readonly mark?: string;
  readonly standing?: AgentPresence;
}

/**
 * Omits the standing from the condition if an id or a mark finds few rows: the index of the standing would read every
 * agent with it.
 */
function condition(standing: AgentPresence, match: Match, text: string): Condition {
  const start = { $gte: text, $lt: `${text}\u{10ffff}` };
  switch (match) {
    case 'id':
      return { id: text };
    case 'mark':
      return { mark: text };
    case 'idStart':
      return { id: start };
    case 'name':
      return { standing, name: text };
    case 'nameStart':
      return { standing, name: start };
  }
}

interface UpdatedRow {
  readonly id: string;
  readonly updatedAt: number;
}

function compareNewest(one: UpdatedRow, other: UpdatedRow): number {
  return other.updatedAt - one.updatedAt || (one.id < other.id ? 1 : -1);
}
