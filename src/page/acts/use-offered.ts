import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { useWorkflows } from '#page/fleet/names.tsx';
import { type Act, acts } from './act.ts';

/** The acts that an agent is offered, which depend on it and its workflow. */
export function useOffered(): (agent: Agent) => readonly Act[] {
  const { data } = useWorkflows();
  return (agent) => {
    const workflow = data?.workflows.find(({ id }) => id === agent.workflowId);
    return acts.filter((act) => act.isFor(agent, workflow?.updatedAt ?? ''));
  };
}
