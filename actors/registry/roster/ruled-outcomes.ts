import { mayRuleAnswer, ruleMs } from '#contract/fact/notice-of-fact.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredFact } from '#store/fact/fact-entity.ts';
import type { Tables } from '#store/tables.ts';

/** The kinds of facts about questions: that one is asked, and that a rule has answered. */
export const questionFacts: readonly string[] = ['agent.waits', 'agent.approved'];

/** What decides whether a rule may yet answer, besides the agent's row. */
interface Questions {
  /** The agent's since the wait began, oldest first. */
  readonly facts: readonly StoredFact[];
  readonly now: number;
  /** Whether a rule is answering an agent now. */
  readonly areAnswering: (tables: Tables, agentId: string) => Promise<boolean>;
}

/** How soon to look again whether a rule that is answering has, in milliseconds. */
const answeringMs = 500;

/**
 * How long a rule may yet answer what an agent asks, or when to look again if one is just answering, in milliseconds: then
 * the agent may be at work already. 0 if none may.
 */
export async function ruleTimeLeft(
  tables: Tables,
  agent: StoredAgent,
  { facts, now, areAnswering }: Questions,
): Promise<number> {
  const isAsking = agent.state === 'AGENT_STATE_WAITING' || agent.asksUnseen;
  const left = isAsking ? await timeToAnswer(tables, agent.id, now) : 0;
  if (left > 0) return left;
  const last = facts.findLast(({ kind }) => questionFacts.includes(kind));
  const isOpen = last?.kind === 'agent.waits' && mayRuleAnswer(last.detail);
  return (isAsking || isOpen) && (await areAnswering(tables, agent.id)) ? answeringMs : 0;
}

/** How long a rule has still time to answer, by the newest fact about an agent's questions, in milliseconds. */
async function timeToAnswer({ facts }: Tables, agentId: string, now: number): Promise<number> {
  const [newest] = await facts.before(undefined, 1, { subjectId: agentId, kinds: questionFacts });
  if (newest === undefined || !(newest.kind === 'agent.approved' || mayRuleAnswer(newest.detail))) return 0;
  return Math.max(0, newest.at + ruleMs - now);
}

/** The facts of an agent without the questions that a rule has answered, or, if `isRuled`, may yet answer. */
export function withoutRuled(facts: readonly StoredFact[], isRuled: boolean): readonly StoredFact[] {
  return facts.filter((fact, at) => {
    if (fact.kind !== 'agent.waits' || !mayRuleAnswer(fact.detail)) return true;
    const next = facts.slice(at + 1).find(({ kind }) => questionFacts.includes(kind));
    return next === undefined ? !isRuled : next.kind !== 'agent.approved';
  });
}
