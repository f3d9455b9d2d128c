import { cleanName } from '#actors/registry/agent/agent-name.ts';
import { agentToChange, change, sendRequired } from '#actors/registry/agent/change.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import { Failure } from '#contract/failure.ts';
import { renameAgent } from '#contract/operations/agent.ts';
import { quoted } from '#contract/quoted.ts';

/** Renames an agent. */
export const renameAgentHandler = handler(renameAgent, ({ agentId, name: asked }, caller, scope) => {
  const name = cleanName(asked);
  if (name === '') {
    throw new Failure('INVALID_FIELD', `name is ${quoted(asked)}, which has no visible character: give another`, {
      field: 'name',
    });
  }
  return change(scope, async (writing) => {
    const { agents } = writing.tables;
    const agent = await agentToChange(writing, agentId);
    if (agent.name === name) return { agent: await wholeAgent(agents, agent, caller) };
    const holder = await agents.findPresent(name);
    if (holder !== undefined) {
      throw new Failure('NAME_TAKEN', `Agent ${describeAgent(holder)} already has that name: choose another one`, {
        field: 'name',
        metadata: { name: holder.name, holderId: holder.id },
      });
    }
    const renamed = await sendRequired(writing, agent, { type: 'RENAME', name }, renameAgent.method);
    return { agent: await wholeAgent(agents, renamed, caller) };
  });
});
