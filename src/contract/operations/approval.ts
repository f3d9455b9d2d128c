import { z } from 'zod';
import { ApprovalRule, ApprovalVerdict, maxRules } from '#contract/approval/approval-rule.ts';
import { AskedQuestion } from '#contract/approval/asked-question.ts';
import { explicitBoolean, message, required, text } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';

const service = { package: 'approval.v1', service: 'ApprovalService' } as const;
const workflowId = [required(z.string().min(1)), 'The workflow, by its id: `wfl_` and a ULID.'] as const;
const ruleList = z.array(ApprovalRule).max(maxRules);
const inForce = [explicitBoolean(), 'Whether rules answer questions, in the whole installation.'] as const;
const ordered = 'The rules in their order.';

export const getApprovals = operation({
  ...service,
  method: 'GetApprovals',
  summary: 'Returns the rules by which questions of a workflow’s agents are answered, and whether rules are in force.',
  guidance: 'Without workflowId: only whether rules are in force.',
  request: message('approval.v1.GetApprovalsRequest', {
    workflowId: [1, z.string(), 'The workflow, by its id: `wfl_` and a ULID. Unset: none.'],
  }),
  response: message('approval.v1.GetApprovalsResponse', {
    rules: [1, ruleList, ordered],
    enabled: [2, ...inForce],
  }),
  access: 'read',
  idempotent: true,
  roles: [],
});

export const setApprovals = operation({
  ...service,
  method: 'SetApprovals',
  summary: 'Replaces the rules by which questions of a workflow’s agents are answered.',
  guidance:
    'A rule that refuses counts before all others; of the others the first that matches. What no rule matches is left to a person. ' +
    'They apply at once, also to agents that these agents launch. Agents neither see nor set rules.',
  request: message('approval.v1.SetApprovalsRequest', {
    workflowId: [1, ...workflowId],
    rules: [2, ruleList, 'The rules in their order. Empty: every question is left to a person.'],
  }),
  response: message('approval.v1.SetApprovalsResponse', { rules: [1, ruleList, ordered] }),
  access: 'write',
  idempotent: true,
  refusesUnknownFields: true,
  roles: [],
});

export const addApproval = operation({
  ...service,
  method: 'AddApproval',
  summary: 'Adds a rule after the others of a workflow.',
  guidance: 'As set_approvals. Adding a rule that is there already changes nothing.',
  request: message('approval.v1.AddApprovalRequest', {
    workflowId: [1, ...workflowId],
    rule: [2, ApprovalRule, 'What is added, unless it is there already. Required.'],
  }),
  response: message('approval.v1.AddApprovalResponse', { rules: [1, ruleList, ordered] }),
  access: 'write',
  idempotent: true,
  refusesUnknownFields: true,
  roles: [],
});

export const testApprovals = operation({
  ...service,
  method: 'TestApprovals',
  summary: 'Says what rules would do with a question, without answering it, and which rule would agree to it.',
  guidance:
    'The question is the one on an agent’s screen now, or on a recorded screen. A recorded screen has no folder, so no rule about ' +
    'files agrees to it.',
  request: message('approval.v1.TestApprovalsRequest', {
    agentId: [1, z.string(), 'The agent whose question is tried. Unset: `screen` is.'],
    workflowId: [2, z.string(), 'The workflow whose rules are tried. Unset: the agent’s, or `rules`.'],
    rules: [3, ruleList, 'Rules to try instead of those of a workflow.'],
    screen: [4, text(200_000), 'A recorded screen, with or without SGR escape sequences.'],
    harness: [5, text(40), 'The CLI that the recorded screen is of, such as `claude`. Required with `screen`.'],
    width: [6, z.int32(), 'The width of the recorded screen in columns. Unset: 80.'],
    height: [7, z.int32(), 'The height of the recorded screen in rows. Unset: as many as it has, at least 24.'],
  }),
  response: message('approval.v1.TestApprovalsResponse', {
    question: [1, AskedQuestion, 'The question as rules see it. Unset if the screen asks nothing.'],
    verdict: [2, ApprovalVerdict, 'What the rules decide about it. Unset without a question.'],
    proposal: [3, ApprovalRule, 'A rule that would agree to this question. Unset if none can.'],
    workflowId: [4, z.string(), 'The workflow whose rules count for the agent. Unset without one.'],
    enabled: [5, ...inForce],
  }),
  access: 'read',
  idempotent: true,
  refusesUnknownFields: true,
  roles: [],
});

export const switchApprovals = operation({
  ...service,
  method: 'SwitchApprovals',
  summary: 'Puts the rules of all workflows out of force or in force again, on every host.',
  guidance:
    'Once the answer is there, no rule answers anything any more: what was being answered has ended. It lasts until it is called again, ' +
    'also after restarts.',
  request: message('approval.v1.SwitchApprovalsRequest', {
    enabled: [1, required(explicitBoolean()), 'Whether rules answer questions.'],
  }),
  response: message('approval.v1.SwitchApprovalsResponse', { enabled: [1, ...inForce] }),
  access: 'write',
  idempotent: true,
  roles: [],
});
