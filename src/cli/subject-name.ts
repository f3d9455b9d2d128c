import type { Client } from './client.ts';

/** Finds the names of agents, workflows and hosts by their ids. */
export interface SubjectNames {
  /** The name; the id where there is none, or it may not be known. An id is asked about once. */
  of(id: string): Promise<string>;
  /** Takes a name from elsewhere, such as that of an agent that is gone since. */
  learn(id: string, name: string): void;
}

/** Finds names by asking the service. */
export function subjectNames(client: Client): SubjectNames {
  const known = new Map<string, Promise<string>>();
  return {
    of: (id) => {
      const name = known.get(id) ?? ask(client, id).catch(() => id);
      known.set(id, name);
      return name;
    },
    learn: (id, name) => void known.set(id, Promise.resolve(name)),
  };
}

async function ask(client: Client, id: string): Promise<string> {
  if (id.startsWith('agt_')) {
    const { agent } = await client.call('agent.v1.AgentService/GetAgent', { agentId: id });
    return agent?.agent?.name ?? id;
  }
  if (id.startsWith('wfl_')) {
    const { workflow } = await client.call('workflow.v1.WorkflowService/GetWorkflow', { workflowId: id });
    return workflow?.name ?? id;
  }
  if (!id.startsWith('hst_')) return id;
  const { hosts = [] } = await client.call('host.v1.HostService/ListHosts', {});
  return hosts.find((host) => host.id === id)?.name ?? id;
}
