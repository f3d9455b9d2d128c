import type { Client } from '#cli/client/client.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { Failure } from '#contract/failure.ts';

/** An agent of a listing, with its id and name set. */
export interface ListedAgent {
  readonly id: string;
  readonly name: string;
  readonly agent: Agent;
  readonly row: AgentRow;
}

/** All archived agents, or all others, most recently updated first. */
export function everyAgent(client: Client, archived: boolean): Promise<AgentRow[]> {
  return everyPage(
    (pagination) => client.call('agent.v1.AgentService/ListAgents', { pagination, ...(archived && { archived }) }),
    (page) => page.agents,
  );
}

/** The agents in rows that have an id. */
export function foundIn(rows: readonly AgentRow[]): ListedAgent[] {
  return rows.flatMap((row) => {
    const { agent } = row;
    return agent?.id ? [{ id: agent.id, name: agent.name ?? agent.id, agent, row }] : [];
  });
}

/** What a person can type to name an agent: its name, or its id if a shell would interpret the name. */
export function typedName({ id = '', name = id }: Agent): string {
  return /^[\w.][\w.-]*$/.test(name) ? name : id;
}

/** How to look for an agent. */
interface Search {
  /** Prefer archived agents. */
  readonly archivedFirst?: boolean;
  /** Accept no mere beginning of a name or id, because a mistake would cost work. */
  readonly wholeOnly?: boolean;
}

/**
 * Finds the agent that a person means: by id, name, mark, or the beginning of a name or an id. Agents that are not
 * archived come first, unless `archivedFirst` is set. An exact match comes before any beginning, so that a repeated
 * command does not reach another agent.
 * @throws NOT_FOUND when there is none, INVALID_ARGUMENT when several match
 */
export async function findAgent(client: Client, nameOrId: string, search: Search = {}): Promise<ListedAgent> {
  const { archivedFirst = false, wholeOnly = false } = search;
  const request = { called: nameOrId, ...(archivedFirst && { archivedFirst }) };
  const { agent: row } =
    nameOrId === '' ? {} : await client.call('agent.v1.AgentService/FindAgent', request).catch(asUnknown);
  const [found] = foundIn(row === undefined ? [] : [row]);
  if (found === undefined) throw notFound(nameOrId, '`muster ls` lists them');
  if (wholeOnly && ![found.id, found.name, found.row.mark].includes(nameOrId)) {
    throw notFound(nameOrId, `if you mean ${found.name} (${found.id}), write its whole name`);
  }
  return found;
}

function notFound(nameOrId: string, help: string): Failure {
  return new Failure('AGENT_NOT_FOUND', `there is no agent ${JSON.stringify(nameOrId)}: ${help}`, {
    metadata: { agentId: nameOrId },
  });
}

/** Treats a refused lookup as no match. The operation that follows is then refused with its own message. */
function asUnknown(error: unknown): { readonly agent?: AgentRow } {
  if (error instanceof Failure && error.code === 'permission_denied') return {};
  throw error;
}
