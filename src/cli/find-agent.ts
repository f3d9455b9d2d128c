import type { Agent } from '#contract/agent.ts';
import type { AgentRow } from '#contract/agent-row.ts';
import { Failure } from '#contract/failure.ts';
import type { Client } from './client.ts';
import { nearest } from './nearest.ts';
import { everyPage } from './pages.ts';

/** An id as the service makes it: it is looked up without listing anything. */
const wholeId = /^agt_[0-9A-HJKMNP-TV-Z]{26}$/;

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

/**
 * The agent that a person means: by id, name, mark, or the beginning of a name or an id. Agents that are not archived
 * go first, unless `archivedFirst` is set.
 * @throws Failure `not_found`, or `invalid_argument` where several agents are meant.
 */
export async function findAgent(client: Client, said: string, { archivedFirst = false } = {}): Promise<FoundAgent> {
  if (wholeId.test(said)) {
    const { agent: row } = await client.call('agent.v1.AgentService/GetAgent', { agentId: said });
    const [found] = foundIn(row === undefined ? [] : [row]);
    if (found !== undefined) return found;
  }
  const known: FoundAgent[] = [];
  for (const archived of archivedFirst ? [true, false] : [false, true]) {
    const agents = foundIn(await everyAgent(client, archived));
    const found = meantBy(said, agents);
    if (found.length > 1) throw ambiguous(said, found);
    if (found[0] !== undefined) return found[0];
    known.push(...agents);
  }
  const near = nearest(
    said,
    known.map(({ name }) => name),
  );
  throw new Failure(
    'not_found',
    `there is no agent ${JSON.stringify(said)}${near ? `: did you mean ${near}?` : '; `muster ls --all` lists them'}`,
  );
}

/** The nearest kind of match decides: a whole id, a whole name, a mark, the beginning of a name, of an id. */
function meantBy(said: string, agents: readonly FoundAgent[]): FoundAgent[] {
  const ways: ((agent: FoundAgent) => boolean)[] = [
    ({ id }) => id === said,
    ({ name }) => name === said,
    ({ row }) => row.mark === said,
    ({ name }) => name.startsWith(said),
    ({ id }) => said.length > 4 && id.startsWith(said),
  ];
  for (const way of said === '' ? [] : ways) {
    const found = agents.filter(way);
    if (found.length > 0) return found;
  }
  return [];
}

function ambiguous(said: string, found: readonly FoundAgent[]): Failure {
  const names = found.slice(0, 8).map(({ id, name }) => `${name} (${id})`);
  const more = found.length > names.length ? ` and ${found.length - names.length} more` : '';
  return new Failure(
    'invalid_argument',
    `${JSON.stringify(said)} could be any of ${names.join(', ')}${more}: write more of it, or the id`,
  );
}
