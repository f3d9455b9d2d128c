import { agentToChange, change, sendRequired } from '#actors/registry/agent/change.ts';
import { refuseHeld } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { LaunchScope } from '#actors/registry/launch/launch-scope.ts';
import { refuseWithoutRoom } from '#actors/registry/launch/quota.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import { restoreAgent } from '#contract/operations/agent.ts';
import { checkParent } from './check-parent.ts';

/**
 * Restores an archived or ended agent, or has it wait for its turn. If another agent has taken its name, it gets a
 * numbered one.
 */
export const restoreAgentHandler = handler(restoreAgent, ({ agentId, inTurn }, caller, scope: LaunchScope) =>
  change(scope, async (writing) => {
    const { agents, pendingRestores } = writing.tables;
    const agent = await agentToChange(writing, agentId);
    refuseHeld(agent, restoreAgent.method);
    await checkParent(writing, agent);
    if (inTurn && agent.windowLost) {
      await pendingRestores.add(agent.id, writing.now);
      return { agent: await wholeAgent(agents, agent, caller) };
    }
    if (agent.standing === 'archived') {
      await refuseWithoutRoom(agents, { ...scope.launchQuota, ceiling: scope.ceiling }, caller, writing.now);
    }
    const restored = await sendRequired(writing, agent, { type: 'RESTORE' }, restoreAgent.method);
    return { agent: await wholeAgent(agents, restored, caller) };
  }),
);
