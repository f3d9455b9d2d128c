import type { Completion } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { mayAnswerView } from './may-answer.ts';
import { isRuled } from './stored-approvals.ts';

/** Says in the fact of a question that a rule may answer it: then people are notified once none has. */
export const noteRules: Completion = async (tables, commit, agent) => {
  if (!commit.facts.some(isQuestion) || !mayAnswerView(viewOf(commit.snapshot))) return commit;
  if (!(await isRuled(tables, agent))) return commit;
  const facts = commit.facts.map((fact) =>
    isQuestion(fact) ? { ...fact, detail: { ...fact.detail, ruleMayAnswer: true } } : fact,
  );
  return { ...commit, facts };
};

function isQuestion({ kind }: AgentCommit['facts'][number]): boolean {
  return kind === 'agent.waits';
}
