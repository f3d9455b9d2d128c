import { agentToChange, change, send, sendRequired } from '#actors/registry/agent/change.ts';
import { refuseHeld } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { checkSteers } from '#actors/registry/rights/steering-rights.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import { Failure } from '#contract/failure.ts';
import { parkAgent, unparkAgent } from '#contract/operations/park.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { AgentPark } from '#machines/agent/parking/park.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import { accountOf, userOf } from './account.ts';
import { agentsOf } from './account-agents.ts';

/** Parks an agent, or changes until when it is parked and what happens then. */
export const parkAgentHandler = handler(parkAgent, ({ agentId, until, resume }, caller, scope) =>
  change(scope, async (writing) => {
    const agent = await agentToChange(writing, agentId);
    refuseHeld(agent, parkAgent.method);
    const { park } = readAgentContext(agent.snapshot);
    const ends = until ? { ...endAt(until, writing.now), looks: undefined, shownUntil: undefined } : {};
    const now: AgentPark = {
      reason: 'person',
      since: writing.now,
      resume: false,
      ...park,
      ...ends,
      ...(resume !== undefined && { resume }),
    };
    const isSame = JSON.stringify(park) === JSON.stringify(now);
    const parked = isSame ? agent : await sendRequired(writing, agent, { type: 'PARK', park: now }, parkAgent.method);
    return { agent: await wholeAgent(writing.tables.agents, parked, caller) };
  }),
);

function endAt(until: string, now: number): Pick<AgentPark, 'until' | 'due'> {
  const time = Date.parse(until);
  if (time > now) return { until: time, due: time };
  throw new Failure('INVALID_FIELD', `until is ${until}, which has passed: give a later time, or call unpark_agent`, {
    field: 'until',
  });
}

/** Ends the parking of an agent, or of all agents of its account. */
export const unparkAgentHandler = handler(unparkAgent, ({ agentId, wholeAccount = false }, caller, scope) =>
  change(scope, async (writing) => {
    const { tables } = writing;
    const agent = await agentToChange(writing, agentId);
    checkSteers(caller, agent);
    if (wholeAccount) await freeAccount(writing, agent, (one) => checkSteers(caller, one));
    else await send(writing, agent, { type: 'UNPARK' });
    const after = (await tables.agents.find(agentId)) ?? agent;
    return { agent: await wholeAgent(tables.agents, after, caller) };
  }),
);

async function freeAccount(writing: Change, agent: StoredAgent, check: (agent: StoredAgent) => void): Promise<void> {
  const { tables } = writing;
  const { key, name } = await accountOf(tables, userOf(agent));
  if (await tables.accountLimits.remove(key)) {
    await tables.facts.append([{ kind: 'account.freed', subjectId: agent.host, detail: { account: name } }]);
  }
  for (const one of await agentsOf(tables, key, agent.host)) {
    check(one);
    await send(writing, one, { type: 'UNPARK' });
  }
}
