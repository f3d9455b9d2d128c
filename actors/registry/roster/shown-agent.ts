import { agentOf } from '#actors/registry/agent/agent-resource.ts';
import { maySteer } from '#actors/registry/rights/steering-rights.ts';
import type { Caller } from '#contract/access/caller.ts';
import { seesEverything } from '#contract/access/sees-everything.ts';
import type { Agent, AgentFault } from '#contract/agent/agent.ts';
import { withoutOutput, withoutScreen } from '#contract/fact/reason-parts.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { AgentTable } from '#store/agent/agent-table.ts';

/**
 * An agent as a caller may see it, in the answer to any operation. Output of scripts is included for those who may read
 * runs, and text of its screen for those who may read its pane, and for the agent itself.
 */
export function shownAgent(caller: Caller, stored: StoredAgent, briefing?: string): Agent {
  const agent = agentOf(stored, briefing);
  const [runs, pane] = [seesEverything(caller), maySee(caller, stored)];
  const faults = {
    fault: runs && pane ? agent.fault : toSummary(agent.fault),
    failedRunFault: runs ? agent.failedRunFault : toSummary(agent.failedRunFault),
  };
  const stateReason = runs ? stored.stateReason : withoutOutput(stored.stateReason);
  if (pane) return { ...agent, ...faults, stateReason };
  return { ...agent, ...faults, waitingFor: undefined, stateReason: withoutScreen(stateReason) };
}

/** A fault without the output of programs. */
function toSummary(fault: AgentFault | undefined): AgentFault | undefined {
  return fault && { summary: fault.summary };
}

/** As `shownAgent`, with the complete briefing. */
export async function wholeAgent(agents: AgentTable, stored: StoredAgent, caller: Caller): Promise<Agent> {
  return shownAgent(caller, stored, (await agents.briefingsOf([stored.id])).get(stored.id));
}

function maySee(caller: Caller, agent: StoredAgent): boolean {
  return maySteer(caller, agent) || (caller.kind === 'agent' && caller.agentId === agent.id);
}
