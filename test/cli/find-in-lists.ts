import type { RequestOf, ResponseOf } from '#cli/client/client.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { Failure } from '#contract/failure.ts';

type List = (request: RequestOf<'agent.v1.AgentService/ListAgents'>) => ResponseOf<'agent.v1.AgentService/ListAgents'>;
type Answers = ReadonlyMap<string, (request: unknown) => unknown>;

/**
 * What finds an agent among those that a test has the service list: by its whole id, name or mark, or by how its name
 * begins.
 */
export function findInLists(answers: Answers): ((request: unknown) => unknown) | undefined {
  const list = answers.get('agent.v1.AgentService/ListAgents') as List | undefined;
  if (list === undefined) return undefined;
  return (request) => {
    const { called, archivedFirst } = request as RequestOf<'agent.v1.AgentService/FindAgent'>;
    const rows = [archivedFirst ?? false, !archivedFirst].flatMap((archived) => everyRow(list, archived));
    const whole = ({ agent, mark }: AgentRow) => [agent?.id, agent?.name, mark].includes(called);
    const agent = rows.find(whole) ?? rows.find((row) => row.agent?.name?.startsWith(called));
    if (agent !== undefined) return { agent };
    throw new Failure('AGENT_NOT_FOUND', `There is no agent "${called}"`, { metadata: { agentId: called } });
  };
}

function everyRow(list: List, archived: boolean): AgentRow[] {
  const rows: AgentRow[] = [];
  let cursor: string | undefined;
  do {
    const page = list({ archived, ...(cursor !== undefined && { pagination: { cursor } }) });
    rows.push(...(page.agents ?? []));
    cursor = page.nextPageToken;
  } while (cursor !== undefined);
  return rows;
}
