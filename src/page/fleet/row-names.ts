import { useMemo } from 'react';
import { projectsOf } from '#contract/agent/project.ts';
import type { Agent, AgentRow } from '#page/client/agent/v1/agent_pb.js';
import { useWorkflows } from './names.tsx';
import { useHosts } from './use-hosts.ts';

/** The names of an agent's project, workflow and host. */
export interface RowNames {
  readonly project: (agent: Agent) => string;
  readonly workflow: (agent: Agent) => string;
  readonly host: (agent: Agent) => string;
}

/** The names for a list's rows, in one pass over the rows. */
export type NamesOf = (rows: Iterable<AgentRow>) => RowNames;

/** The names of workflows and hosts by id; the id itself while a name is not known. */
export function useRowNames(): NamesOf {
  const { data: listed } = useWorkflows();
  const { data: known } = useHosts();
  const workflows = listed?.workflows;
  // Hosts are refetched often, but their names rarely change.
  const hosts = JSON.stringify(known ? [...known.hosts, ...known.removed].map(({ id, name }) => [id, name]) : []);
  return useMemo(() => {
    const workflowNames = new Map(workflows?.map(({ id, name }) => [id, name]));
    const hostNames = new Map<string, string>(JSON.parse(hosts));
    const workflowName = (id: string): string => workflowNames.get(id) ?? id;
    return (rows) => ({
      project: projectsOf(agentsOf(rows), workflowName),
      workflow: ({ workflowId }) => workflowName(workflowId),
      host: ({ hostId }) => hostNames.get(hostId) ?? hostId,
    });
  }, [workflows, hosts]);
}

function* agentsOf(rows: Iterable<AgentRow>): Generator<Agent> {
  for (const { agent } of rows) if (agent !== undefined) yield agent;
}
