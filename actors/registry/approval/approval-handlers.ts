import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { findWorkflow } from '#actors/registry/workflow/workflow-resource.ts';
import type { ApprovalRule } from '#contract/approval/approval-rule.ts';
import type { AskedQuestion } from '#contract/approval/asked-question.ts';
import { Failure } from '#contract/failure.ts';
import {
  addApproval,
  getApprovals,
  setApprovals,
  switchApprovals,
  testApprovals,
} from '#contract/operations/approval.ts';
import type { Tables } from '#store/tables.ts';
import { leasePrefix } from './answer-lease.ts';
import { askedBy } from './asked-by.ts';
import { checkRules } from './check-rules.ts';
import { decide, type PlacedQuestion } from './decide.ts';
import { proposeRule } from './propose.ts';
import { recordedQuestion } from './recorded-question.ts';
import { areInForce, putInForce, putRules, rulesFor, rulesOf } from './stored-approvals.ts';

/** Returns the rules of a workflow. */
export const getApprovalsHandler = handler(getApprovals, ({ workflowId }, _caller, { store }) =>
  store.read(async (tables) => {
    if (workflowId) await findWorkflow(tables.workflows, workflowId);
    const rules = workflowId ? await rulesOf(tables, workflowId) : [];
    return { rules: [...rules], enabled: await areInForce(tables) };
  }),
);

/** Replaces the rules of a workflow. */
export const setApprovalsHandler = handler(setApprovals, ({ workflowId, rules = [] }, _caller, { store }) => {
  checkRules(rules);
  return store.write((tables) => change(tables, workflowId, () => rules));
});

/** Adds a rule. */
export const addApprovalHandler = handler(addApproval, ({ workflowId, rule = {} }, _caller, { store }) => {
  checkRules([rule], 'rule');
  return store.write((tables) =>
    change(tables, workflowId, (rules) => (rules.some((one) => isSame(one, rule)) ? rules : [...rules, rule])),
  );
});

async function change(
  tables: Tables,
  workflowId: string,
  next: (rules: readonly ApprovalRule[]) => readonly ApprovalRule[],
): Promise<{ rules: ApprovalRule[] }> {
  await findWorkflow(tables.workflows, workflowId);
  const before = await rulesOf(tables, workflowId);
  const rules = setApprovals.request.shape.rules.parse(next(before)) ?? [];
  if (!isSame(before, rules)) {
    await putRules(tables, workflowId, rules);
    const detail = { fields: ['approvals'] };
    await tables.facts.append([{ kind: 'workflow.changed', subjectId: workflowId, detail }]);
  }
  return { rules };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** How long answers in progress may take to end, and how often that is checked, in milliseconds. */
const ends = { withinMs: 32_000, everyMs: 50 } as const;

/** Puts rules in force or out of it. Returns once no rule answers any more. */
export const switchApprovalsHandler = handler(switchApprovals, async ({ enabled }, _caller, { store, timer }) => {
  await store.write(async (tables) => {
    if ((await areInForce(tables)) === enabled) return;
    await putInForce(tables, enabled);
    await tables.facts.append([{ kind: 'approvals.switched', subjectId: 'approvals', detail: { enabled } }]);
  });
  const until = timer.now() + ends.withinMs;
  const isAnswering = (): Promise<boolean> =>
    store.read(async ({ leases }) => (await leases.heldUnder(leasePrefix)).length > 0);
  while (!enabled && timer.now() < until && (await isAnswering())) await timer.sleep(ends.everyMs);
  return { enabled };
});

/** Tries rules on a question. */
export const testApprovalsHandler = handler(testApprovals, async (request, _caller, scope) => {
  const { agentId, workflowId, rules, screen } = request;
  if (!agentId === !screen) {
    throw new Failure('INVALID_FIELD', 'give an agent or a recorded screen, and not both (agentId, screen)', {
      field: 'agentId',
    });
  }
  if (rules) checkRules(rules);
  const asked = agentId ? (await askedBy(scope, agentId)).asked : recordedQuestion(scope.harnesses, request);
  return scope.store.read(async (tables) => {
    const enabled = await areInForce(tables);
    const own = agentId ? await rulesFor(tables, await findAgent(tables.agents, agentId)) : undefined;
    if (workflowId) await findWorkflow(tables.workflows, workflowId);
    const named = workflowId ? await rulesOf(tables, workflowId) : own?.rules;
    const tried = rules?.length ? rules : (named ?? []);
    return { enabled, ...(own && { workflowId: own.workflowId }), ...(asked && triedOn(tried, asked)) };
  });
});

function triedOn(rules: readonly ApprovalRule[], asked: PlacedQuestion) {
  const { choice, ...verdict } = decide(rules, asked);
  const label = choice === undefined ? undefined : asked.question.choices[choice]?.label;
  const proposal = proposeRule(asked);
  return {
    question: shownQuestion(asked),
    verdict: { ...verdict, ...(label !== undefined && { choice: label }) },
    ...(proposal && { proposal }),
  };
}

/** A question as clients see it. */
export function shownQuestion({ question, place }: PlacedQuestion): AskedQuestion {
  const { yes: _yes, no: _no, choices, ...shown } = question;
  return { ...shown, choices: choices.map(({ label }) => label), ...(place && { resolvedPath: place.resolved }) };
}
