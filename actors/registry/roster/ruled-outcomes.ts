import { mayRuleAnswer, ruleMs } from '#contract/fact/notice-of-fact.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredFact } from '#store/fact/fact-entity.ts';
import type { Tables } from '#store/store.ts';

/** The kinds of facts about questions: that one is asked, and that a rule has answered. */
export const questionFacts: readonly string[] = ['agent.waits', 'agent.approved'];

/** Whether a rule may yet answer what an agent asks, by the newest fact about its questions. */
export async function mayYetBeAnswered({ facts }: Tables, agent: StoredAgent, now: number): Promise<boolean> {
  if (agent.state !== 'AGENT_STATE_WAITING' && !agent.asksUnseen) return false;
  const [newest] = await facts.before(undefined, 1, { subjectId: agent.id, kinds: questionFacts });
  if (newest === undefined || newest.at <= now - ruleMs) return false;
  return newest.kind === 'agent.approved' || mayRuleAnswer(newest.detail);
}

/** The facts of an agent without the questions that a rule has answered, or, if `isRuled`, may yet answer. */
export function withoutRuled(facts: readonly StoredFact[], isRuled: boolean): readonly StoredFact[] {
  return facts.filter((fact, at) => {
    if (fact.kind !== 'agent.waits' || !mayRuleAnswer(fact.detail)) return true;
    const next = facts.slice(at + 1).find(({ kind }) => questionFacts.includes(kind));
    return next === undefined ? !isRuled : next.kind !== 'agent.approved';
  });
}
