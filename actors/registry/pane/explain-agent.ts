import type { z } from 'zod';
import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { whyWindowless } from '#actors/registry/agent/agent-window.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import { ownAgentId } from '#actors/registry/kernel/self.ts';
import { shownAgent } from '#actors/registry/roster/shown-agent.ts';
import { seesEverything } from '#contract/access/sees-everything.ts';
import { enumWord } from '#contract/fact/enum-word.ts';
import { withoutOutput } from '#contract/fact/reason-parts.ts';
import { Failure } from '#contract/failure.ts';
import { explainAgent } from '#contract/operations/pane.ts';
import type { AgentMove } from '#contract/pane/pane.ts';
import { reasonText } from '#contract/pane/reading.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import { readingOf, toAgentMove } from './pane-resource.ts';

type Explanation = z.input<typeof explainAgent.response>;

/** Explains why an agent is in its state: from its pane if that can be read, else from the last stored transition. */
export const explainAgentHandler = handler(explainAgent, async (request, caller, { store, lines }) => {
  const agentId = ownAgentId(caller, request.agentId);
  const { agent, host, moves } = await store.read(async (tables) => {
    const agent = await findAgent(tables.agents, agentId);
    const kept = await tables.moves.lastOf(agentId, { screens: request.view === 'VIEW_FULL' });
    const host = (await tables.hosts.find(agent.host)) ?? { id: agent.host, name: agent.host };
    return {
      agent,
      host,
      moves: kept
        .map(toAgentMove)
        .map((move) => (seesEverything(caller) ? move : { ...move, reason: withoutOutput(move.reason ?? '') })),
    };
  });
  return {
    agent: shownAgent(caller, agent),
    ...(await explanationOf(lines, agent, host, moves)),
    moves: fitRows(moves),
  };
});

async function explanationOf(
  lines: KernelScope['lines'],
  agent: StoredAgent,
  host: Pick<StoredHost, 'id' | 'name'>,
  moves: readonly AgentMove[],
): Promise<Explanation> {
  if (!agent.alive) return fromRecord(`It ${whyWindowless(agent)}`, moves);
  try {
    return fromPane(agent, await askHost(lines, host, hostCalls.look, { agentId: agent.id }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return fromRecord(error.message, moves);
  }
}

function fromPane(agent: StoredAgent, inspection: z.output<typeof hostCalls.look.response>): Explanation {
  const { at, lost, rules, reading, verdict } = inspection;
  const came = verdict ?? { state: reading.state, reason: reasonText(reading), why: '' };
  const isSame = came.state === agent.state && came.reason === agent.stateReason;
  return {
    source: 'EXPLANATION_SOURCE_LIVE',
    readAt: timeOf(at),
    reading: readingOf(inspection),
    lost,
    rules,
    ...(came.why !== '' && { decidedBeyond: came.why }),
    ...(isSame ? {} : { difference: differenceOf(agent, came.reason) }),
  };
}

/** Why the agent's state differs from what its pane reads as now. */
function differenceOf({ state, stateReason, snapshot }: StoredAgent, read: string): string {
  if (typeof snapshot.value === 'object' && snapshot.value !== null && 'settingUp' in snapshot.value) {
    return `It is being set up: ${stateWord(state)} until its CLI has accepted the briefing`;
  }
  const listed = stateReason === '' ? stateWord(state) : `${stateWord(state)} (${stateReason})`;
  const now = read === '' ? '' : ` (${read})`;
  return `It is listed as ${listed}, but its pane now reads differently${now}: it counts as idle once its screen has stopped changing`;
}

function stateWord(state: StoredAgent['state']): string {
  return enumWord(state) ?? state;
}

function fromRecord(why: string, moves: readonly AgentMove[]): Explanation {
  const last = moves.find(({ rule }) => rule !== undefined);
  return {
    source: 'EXPLANATION_SOURCE_RECORD',
    sourceReason: why,
    ...(last && {
      readAt: last.at,
      reading: { state: last.to, rule: last.rule, reason: last.reason, evidence: last.evidence },
      rules: { harness: last.harness, version: last.rulesVersion },
    }),
  };
}
