import { isBeingDeleted } from '#actors/registry/agent/agent-standing.ts';
import { agentToChange, change, sendRequired } from '#actors/registry/agent/change.ts';
import { refuseHeld } from '#actors/registry/agent/find-agent.ts';
import { withEnd } from '#actors/registry/agent/with-end.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import { Failure } from '#contract/failure.ts';
import { deleteAgent } from '#contract/operations/agent.ts';
import { abandon } from './abandon.ts';

/**
 * Begins to delete an agent. Its children are deleted once it is certain that none of its work would be lost. Does not
 * change a deletion in progress.
 */
export const deleteAgentHandler = handler(
  deleteAgent,
  ({ agentId, force = false, abandon: isAbandoned = false }, caller, scope) =>
    change(scope, async (writing) => {
      const { agents } = writing.tables;
      if (isAbandoned && force) throw contradiction();
      const agent = await agentToChange(writing, agentId);
      if (isAbandoned) {
        const givenUp = [...(await abandon(writing, agent, deleteAgent.method))];
        const after = (await agents.find(agentId)) ?? agent;
        return { agent: withEnd(await wholeAgent(agents, after, caller), after), givenUp };
      }
      if (isBeingDeleted(agent)) return { agent: await wholeAgent(agents, agent, caller) };
      for (const one of [agent, ...(await agents.childrenOf(agentId))]) refuseHeld(one, deleteAgent.method);
      const deleted = await sendRequired(writing, agent, { type: 'DELETE', force }, deleteAgent.method);
      return { agent: await wholeAgent(agents, deleted, caller) };
    }),
);

function contradiction(): Failure {
  return new Failure(
    'CONFLICTING_FIELDS',
    'force and abandon are both true: force deletes unsaved work on the host, abandon leaves everything there. Leave one out',
    { field: 'force' },
  );
}
