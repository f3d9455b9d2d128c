import type { Client } from '#cli/client/client.ts';
import { Failure } from '#contract/failure.ts';

/**
 * The name of an agent, workflow, schedule or host by id; the id itself if it has none or the caller may not know it.
 */
export type NameOf = (id: string) => Promise<string>;

/** Looks names up in the service, each id once. */
export function subjectNames(client: Client): NameOf {
  const known = new Map<string, Promise<string>>();
  return (id) => {
    const name = known.get(id) ?? ask(client, id).catch(() => id);
    known.set(id, name);
    return name;
  };
}

/** The names of the rows' agents by id; the ids themselves if the caller may not know the names. */
export async function agentNames(
  client: Client,
  rows: readonly { readonly agentId?: string | undefined }[],
): Promise<ReadonlyMap<string, string>> {
  const nameOf = subjectNames(client);
  const ids = new Set(rows.flatMap(({ agentId = '' }) => (agentId === '' ? [] : [agentId])));
  return new Map(await Promise.all([...ids].map(async (id) => [id, await nameOf(id)] as const)));
}

async function ask(client: Client, id: string): Promise<string> {
  if (id.startsWith('agt_')) return askAgent(client, id);
  if (id.startsWith('wfl_')) {
    const { workflow } = await client.call('workflow.v1.WorkflowService/GetWorkflow', { workflowId: id });
    return workflow?.name ?? id;
  }
  if (id.startsWith('sch_')) {
    const { schedule } = await client.call('schedule.v1.ScheduleService/GetSchedule', { scheduleId: id });
    return schedule?.name ?? id;
  }
  if (!id.startsWith('hst_')) return id;
  const { hosts = [], removed = [] } = await client.call('host.v1.HostService/ListHosts', {});
  return [...hosts, ...removed].find((host) => host.id === id)?.name ?? id;
}

/** The name of an agent; for one that is gone, the name that it was created with. */
async function askAgent(client: Client, id: string): Promise<string> {
  try {
    return (await client.call('agent.v1.AgentService/GetAgent', { agentId: id })).agent?.agent?.name ?? id;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
  }
  return (await originalName(client, id)) ?? id;
}

/** The name in an agent's first fact, as long as that is kept. */
async function originalName(client: Client, subjectId: string): Promise<string | undefined> {
  let cursor: string | undefined;
  do {
    const page = await client.call('fact.v1.FactService/ListFacts', {
      subjectId,
      pageSize: 200,
      ...(cursor !== undefined && { cursor }),
    });
    const made = page.facts?.find(({ kind }) => kind === 'agent.created');
    const { name } = JSON.parse(made?.detail ?? '{}') as { name?: unknown };
    if (typeof name === 'string') return name;
    cursor = page.nextPageToken;
  } while (cursor);
  return undefined;
}
