import type { Client } from '#cli/client/client.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { Failure } from '#contract/failure.ts';

/** An agent of a listing, which always names its id. */
export interface FoundAgent {
  readonly id: string;
  readonly name: string;
  readonly agent: Agent;
  readonly row: AgentRow;
}

/** Every agent that is archived, or every agent that is not, most recently updated first. */
export function everyAgent(client: Client, archived: boolean): Promise<AgentRow[]> {
  return everyPage(
    (pagination) => client.call('agent.v1.AgentService/ListAgents', { pagination, ...(archived && { archived }) }),
    (page) => page.agents,
  );
}

/** Rows that name an agent with its id. */
export function foundIn(rows: readonly AgentRow[]): FoundAgent[] {
  return rows.flatMap((row) => {
    const { agent } = row;
    return agent?.id ? [{ id: agent.id, name: agent.name ?? agent.id, agent, row }] : [];
  });
}

/** What a person types to mean an agent: its name, or its id if a shell would read the name as something else. */
export function typedName({ id = '', name = id }: Agent): string {
  return /^[\w.][\w.-]*$/.test(name) ? name : id;
}

/** How an agent is looked for. */
interface Search {
  /** Look among the archived ones first. */
  readonly archivedFirst?: boolean;
  /** Take no beginning of a name or id: where a mistake costs work. */
  readonly wholeOnly?: boolean;
}

/**
 * The agent that a person means: by id, name, mark, or the beginning of a name or an id. Agents that are not archived
 * go first, unless `archivedFirst` is set; but one that is meant outright goes before any whose name only begins so, so
 * that a command given twice does not reach another agent the second time.
 * @throws NOT_FOUND, or INVALID_ARGUMENT when several agents are meant.
 */
export async function findAgent(client: Client, said: string, search: Search = {}): Promise<FoundAgent> {
  const { archivedFirst = false, wholeOnly = false } = search;
  const request = { called: said, ...(archivedFirst && { archivedFirst }) };
  const { agent: row } =
    said === '' ? {} : await client.call('agent.v1.AgentService/FindAgent', request).catch(asUnknown);
  const [found] = foundIn(row === undefined ? [] : [row]);
  if (found === undefined) throw notFound(said, '`muster ls` lists them');
  if (wholeOnly && ![found.id, found.name, found.row.mark].includes(said)) {
    throw notFound(said, `if you mean ${found.name} (${found.id}), write its whole name`);
  }
  return found;
}

function notFound(said: string, help: string): Failure {
  return new Failure('AGENT_NOT_FOUND', `there is no agent ${JSON.stringify(said)}: ${help}`, {
    metadata: { agentId: said },
  });
}

/** Whom the look itself is refused to, there is nothing: what is done to what it finds is refused in its own words. */
function asUnknown(error: unknown): { readonly agent?: AgentRow } {
  if (error instanceof Failure && error.code === 'permission_denied') return {};
  throw error;
}
