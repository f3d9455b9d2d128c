import type { Client } from '#cli/client/client.ts';
import { everyPage } from '#cli/client/pages.ts';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { Failure } from '#contract/failure.ts';
import { nearest } from '#contract/nearest.ts';

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

/** What a person types to mean an agent: its name, or its id where a shell would read the name as something else. */
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

type Way = (agent: FoundAgent, said: string) => boolean;

/** The ways in which an agent can be meant, the surest first: outright, or by the beginning of something. */
const outright: readonly Way[] = [
  ({ id }, said) => id === said,
  ({ name }, said) => name === said,
  ({ row }, said) => row.mark === said,
];
const beginning: readonly Way[] = [
  ({ name }, said) => name.startsWith(said),
  ({ id }, said) => said.length > 4 && id.startsWith(said),
];

/**
 * The agent that a person means: by id, name, mark, or the beginning of a name or an id. Agents that are not archived
 * go first, unless `archivedFirst` is set; but one that is meant outright goes before any whose name only begins so, so
 * that a command given twice does not reach another agent the second time.
 * @throws Failure `not_found`, or `invalid_argument` where several agents are meant.
 */
export async function findAgent(client: Client, said: string, search: Search = {}): Promise<FoundAgent> {
  if (wholeId.test(said)) {
    const { agent: row } = await client.call('agent.v1.AgentService/GetAgent', { agentId: said });
    const [found] = foundIn(row === undefined ? [] : [row]);
    if (found !== undefined) return found;
  }
  const { archivedFirst = false, wholeOnly = false } = search;
  const listings: FoundAgent[][] = [];
  for (const archived of archivedFirst ? [true, false] : [false, true]) {
    const agents = foundIn(await everyAgent(client, archived));
    const found = oneMeant(said, agents, outright);
    if (found !== undefined) return found;
    listings.push(agents);
  }
  for (const agents of listings) {
    const found = oneMeant(said, agents, beginning);
    if (found === undefined) continue;
    if (!wholeOnly) return found;
    throw new Failure(
      'not_found',
      `there is no agent ${JSON.stringify(said)}: if you mean ${found.name} (${found.id}), write its whole name`,
    );
  }
  throw unknown(
    said,
    listings.flat().map(({ name }) => name),
  );
}

/** The one agent that is meant in one of the ways, of which the first that finds any decides; undefined where none is. */
function oneMeant(said: string, agents: readonly FoundAgent[], ways: readonly Way[]): FoundAgent | undefined {
  for (const way of said === '' ? [] : ways) {
    const found = agents.filter((agent) => way(agent, said));
    if (found.length > 1) throw ambiguous(said, found);
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

function unknown(said: string, names: readonly string[]): Failure {
  const near = nearest(said, names);
  return new Failure(
    'not_found',
    `there is no agent ${JSON.stringify(said)}${near ? `: did you mean ${near}?` : '; `muster ls --all` lists them'}`,
  );
}

function ambiguous(said: string, found: readonly FoundAgent[]): Failure {
  const names = found.slice(0, 8).map(({ id, name }) => `${name} (${id})`);
  const more = found.length > names.length ? ` and ${found.length - names.length} more` : '';
  return new Failure(
    'invalid_argument',
    `${JSON.stringify(said)} could be any of ${names.join(', ')}${more}: write more of it, or the id`,
  );
}
