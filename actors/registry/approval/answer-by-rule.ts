import { randomUUID } from 'node:crypto';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { askWithPermit } from '#actors/registry/host/ask-with-permit.ts';
import type { PermitScope } from '#actors/registry/host/host-scope.ts';
import { Failure } from '#contract/failure.ts';
import { withoutAttributes } from '#contract/pane/attributes.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { Tables } from '#store/tables.ts';
import { leaseMs, leasePrefix } from './answer-lease.ts';
import { askedBy, type ReportedQuestion } from './asked-by.ts';
import { type Decision, decide } from './decide.ts';
import { mayAnswer } from './may-answer.ts';
import { areInForce, rulesFor } from './stored-approvals.ts';

/** How often rules answer one agent in a minute; then a person is asked. */
export const maxPerMinute = 12;
/** How long an answer may take, and how much of that must be left when it begins, in milliseconds. */
const typed = { withinMs: 28_000, minMs: 10_000 } as const;
/** How much of a question's words a fact has, in characters. */
const maxText = 1_000;

/** The result of a look at a question: a person is asked, it was answered, or it has changed meanwhile. */
export type Outcome = 'asks' | 'answered' | 'changed';

/** Answers the question on an agent's screen if a rule says so: exactly this question, and only once. */
export async function answerByRule(scope: PermitScope, agentId: string): Promise<Outcome> {
  const reported = await askedBy(scope, agentId);
  const { asked, questionDigest, screenDigest, host } = reported;
  if (asked === undefined || questionDigest === undefined) return 'asks';
  const holder = randomUUID();
  const name = `${leasePrefix}${agentId}`;
  const claimed = await scope.store.write(async (tables) => {
    const decision = await decideNow(tables, agentId, reported);
    if (decision?.choice === undefined) return undefined;
    if ((await answersLately(tables, agentId, scope.clock.now())) >= maxPerMinute) {
      await tables.facts.append([{ kind: 'agent.approvals-limited', subjectId: agentId, detail: { maxPerMinute } }]);
      return undefined;
    }
    const asking = await askingOf(tables, agentId, questionDigest);
    if (asking.isAnswered || (await tables.leases.take(name, { holder }, leaseMs)) === undefined) return undefined;
    return { ...decision, asking };
  });
  if (claimed?.choice === undefined) return 'asks';
  const keys = asked.question.choices[claimed.choice]?.keys ?? [];
  /** Decides again right before it is typed: nobody may have changed the rules, or put them out of force. */
  const permit = () =>
    scope.store.read(async (tables) => {
      const decision = await decideNow(tables, agentId, reported);
      if (decision?.action !== claimed.action || decision.choice !== claimed.choice)
        throw await noLonger(tables, agentId);
      return tables.journal.load(agentId);
    });
  try {
    const request = { agentId, screenDigest, questionDigest, text: '', keys };
    const done = await askWithPermit(scope, host, hostCalls.answer, request, { ...typed, decide: permit });
    await record(scope, reported, claimed, { agentId, lease: { name, holder }, sameQuestion: done.sameQuestion });
    return 'answered';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // The host may still type it until the lease ends on its own.
    if (error.isFor('OUTCOME_UNKNOWN')) await record(scope, reported, claimed, { agentId });
    else await scope.store.write(({ leases }) => leases.remove(name, holder));
    return error.isFor('SCREEN_CHANGED', 'NOTHING_TO_ANSWER') ? 'changed' : 'asks';
  }
}

/** What the rules decide now; undefined if none may answer. */
async function decideNow(
  tables: Tables,
  agentId: string,
  { asked }: ReportedQuestion,
): Promise<(Decision & { readonly workflowId: string }) | undefined> {
  const agent = await tables.agents.find(agentId);
  if (agent === undefined || asked === undefined || !mayAnswer(agent) || !(await areInForce(tables))) return undefined;
  const { rules, workflowId } = await rulesFor(tables, agent);
  return { ...decide(rules, asked), workflowId };
}

async function noLonger({ agents }: Tables, agentId: string): Promise<Failure> {
  const { state } = await findAgent(agents, agentId);
  return new Failure('WRONG_AGENT_STATE', 'No rule answers the question any more', {
    metadata: { agentId, state, phase: '' },
  });
}

/** Which question it is: the same one is answered once, unless the agent has been in another state since. */
interface Asking {
  /** The ordinal of the transition with which the agent began to wait. */
  readonly transition: number;
  /** The beginning of the question's digest. */
  readonly question: string;
}

async function askingOf(
  { facts, moves }: Tables,
  subjectId: string,
  digest: string,
): Promise<Asking & { readonly isAnswered: boolean }> {
  const [move] = await moves.lastOf(subjectId, { limit: 1 });
  const [last] = await facts.before(undefined, 1, { subjectId, kinds: ['agent.approved'] });
  const asking = { transition: move?.ordinal ?? 0, question: digest.slice(0, 16) };
  const { transition, question } = last?.detail ?? {};
  return { ...asking, isAnswered: transition === asking.transition && question === asking.question };
}

async function answersLately({ facts }: Tables, subjectId: string, now: number): Promise<number> {
  const found = await facts.before(undefined, maxPerMinute, { subjectId, kinds: ['agent.approved'] });
  return found.filter(({ at }) => at > now - 60_000).length;
}

interface Claimed extends Decision {
  readonly workflowId: string;
  readonly asking: Asking;
}

interface Answered {
  readonly agentId: string;
  /** The lease to end; undefined to keep it. */
  readonly lease?: { readonly name: string; readonly holder: string };
  /** Whether it still shows the same question; undefined if the host did not report the result. */
  readonly sameQuestion?: boolean;
}

/** Records an answer with its rule and the screen. */
function record(
  { store }: PermitScope,
  { asked, screen }: ReportedQuestion,
  { rule, action, choice = 0, workflowId, asking }: Claimed,
  { agentId, lease, sameQuestion }: Answered,
): Promise<void> {
  const question = asked?.question;
  const { form, tool, command, path, host, text = '', choices = [] } = question ?? {};
  const detail = {
    rule,
    workflowId,
    refused: action === 'APPROVAL_ACTION_REFUSE',
    choice: choices[choice]?.label ?? '',
    form,
    tool,
    text: text.slice(0, maxText),
    ...(command !== undefined && { command }),
    ...(path !== undefined && { path }),
    ...(host !== undefined && { host }),
    transition: asking.transition,
    question: asking.question,
    ...(sameQuestion !== true ? {} : { stillAsks: true }),
    ...(sameQuestion === undefined && { unknown: true }),
    screen: withoutAttributes(screen.text),
  };
  return store.write(async ({ facts, leases }) => {
    await facts.append([{ kind: 'agent.approved', subjectId: agentId, detail }]);
    if (lease !== undefined) await leases.remove(lease.name, lease.holder);
  });
}
