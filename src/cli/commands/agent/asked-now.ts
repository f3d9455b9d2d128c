import type { Client } from '#cli/client/client.ts';
import type { Agent } from '#contract/agent/agent.ts';
import type { Fact } from '#contract/fact/fact.ts';
import { Failure } from '#contract/failure.ts';

/**
 * The fact of a question with what the agent asks now; undefined if it waits no more. A fact is as it was while the
 * service is out of reach.
 */
export async function askedNow(client: Client, fact: Fact): Promise<Fact | undefined> {
  try {
    const { agent } = await client.call('agent.v1.AgentService/GetAgent', { agentId: fact.subjectId ?? '' });
    return waits(agent?.agent ?? {}) ? withQuestion(fact, agent?.agent ?? {}) : undefined;
  } catch (error) {
    if (error instanceof Failure) return fact;
    throw error;
  }
}

function waits({ state, alive }: Agent): boolean {
  return state === 'AGENT_STATE_WAITING' || (state === 'AGENT_STATE_UNCERTAIN' && alive === true);
}

/** A rule may have answered the question that the fact has. */
function withQuestion({ detail = '{}', ...fact }: Fact, { waitingFor, stateReason: reason }: Agent): Fact {
  return { ...fact, detail: JSON.stringify({ ...(JSON.parse(detail) as object), waitingFor, reason }) };
}
