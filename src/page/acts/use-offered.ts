import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { useWorkflows } from '#page/fleet/names.tsx';
import { type Act, acts } from './act.ts';

/** Which acts an agent is offered, as it is and as its workflow does. */
export function useOffered(): (agent: Agent) => readonly Act[] {
  const { data } = useWorkflows();
  return (agent) => {
    const workflow = data?.workflows.find(({ id }) => id === agent.workflowId);
    return acts.filter((act) => act.isFor(agent, workflow?.updatedAt ?? ''));
  };
}
