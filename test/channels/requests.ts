import type { AgentEvent } from '#machines/agent/agent-context.ts';
import type { Made, RegistryFixture } from '#test/registry/registry-fixture.ts';
import { approvalTrials } from './approval-requests.ts';
import { budgetTrials } from './budget-requests.ts';
import { forgeTrials } from './forge-requests.ts';
import { hostTrials } from './host-requests.ts';
import { machineTrials } from './machine-requests.ts';
import { profileTrials } from './profile-requests.ts';
import { pullRequestTrials } from './pull-request-requests.ts';
import { aWorkflow, scheduleTrials } from './schedule-requests.ts';
import type { Trial } from './trial.ts';

const noAgent = { request: { agentId: 'agt_none' }, code: 'not_found' } as const;
const noWorkflow = { request: { workflowId: 'wfl_none' }, code: 'not_found' } as const;
const noTrial = { request: { trialId: 'try_none', hostId: 'host_none' }, code: 'not_found' } as const;
const about = (agentId: string) => ({ agentId });
const nothing = () => ({});

/** Notifies the agent's machine of something that its host would have seen. */
async function tell({ host }: RegistryFixture, agentId: string, ...events: AgentEvent[]): Promise<object> {
  for (const event of events) await host.tell(agentId, event);
  return {};
}

async function archived(fixture: RegistryFixture, agentId: string): Promise<object> {
  await fixture.call('ArchiveAgent', { agentId });
  return tell(fixture, agentId, { type: 'PANE_CLOSED' });
}

/** A failed run of a script for an agent, by its number. */
async function failedRun({ host, call }: RegistryFixture, agentId: string): Promise<object> {
  const about = { agentId, epoch: 1, effect: `${agentId}/1/0`, script: 'RUN_SCRIPT_ON_IDLE' } as const;
  const output = { output: 'no such file', cut: false };
  await host.registry.run(about);
  await host.registry.run({ ...about, output, end: { failed: true, reason: 'ended with 1' } });
  const { runs } = await call<{ runs: { id: number }[] }>('ListRunLogs', { agentId });
  return { id: runs[0]?.id };
}

/** A trial of a workflow's setup script, and its host. */
async function aTrial(fixture: RegistryFixture): Promise<object> {
  const request = { ...(await aWorkflow(fixture)), setup: 'npm ci' };
  const { trial } = await fixture.call<{ trial: { id: string; hostId: string } }>('TryWorkflow', request);
  return { trialId: trial.id, hostId: trial.hostId };
}

/** Mail that waits for an agent, and its open doorbell. */
async function mailed({ call }: RegistryFixture, agentId: string): Promise<object> {
  await call('SendMail', { agentId, body: 'Look at this' });
  return {};
}

/** A round of an agent's work. */
async function reviewed({ call }: RegistryFixture, agentId: string): Promise<object> {
  await call('StartReviewRound', { agentId });
  return {};
}

/** What a comment is pinned to. */
const place = { filePath: 'src/a.ts', newStart: 3, newEnd: 4 };

/**
 * A comment on the work of an agent by a person, or by the agent on the work of its parent if it is a child.
 * Gives the ids that requests name it by.
 */
async function commented({ call }: RegistryFixture, agentId: string): Promise<{ threadId: string; messageId: string }> {
  const { agent } = await call<{ agent: { agent: { parentAgentId?: string } } }>('GetAgent', { agentId });
  const { parentAgentId } = agent.agent;
  const about = { agentId: parentAgentId ?? agentId };
  await call('StartReviewRound', about);
  const { thread } = await call<{ thread: { id: string; messages: { id: string }[] } }>(
    'CreateReviewThread',
    { ...about, ...place, body: 'Say what it is.', suggestion: ['b'] },
    parentAgentId === undefined ? 'person' : { agentId },
  );
  return { threadId: thread.id, messageId: thread.messages[0]?.id ?? '' };
}

/** As `commented`, by its thread alone. */
async function threaded(fixture: RegistryFixture, agentId: string): Promise<{ threadId: string }> {
  const { threadId } = await commented(fixture, agentId);
  return { threadId };
}

/** As `threaded`, released. */
async function released(fixture: RegistryFixture, agentId: string): Promise<{ threadId: string }> {
  const comment = await threaded(fixture, agentId);
  const { agent } = await fixture.call<{ agent: { agent: { parentAgentId?: string } } }>('GetAgent', { agentId });
  const { parentAgentId } = agent.agent;
  const request = { agentId: parentAgentId ?? agentId, verdict: 'REVIEW_VERDICT_COMMENTED' };
  await fixture.call('ReleaseReview', request, parentAgentId === undefined ? 'person' : { agentId });
  return comment;
}

const noThread = { request: { threadId: 'thr_none' }, code: 'not_found' } as const;

export const trials: Readonly<Record<string, Trial>> = {
  CreateAgent: {
    request: (parentAgentId) => ({ prompt: 'Look at the diff', parentAgentId }),
    prepare: async (fixture, agentId) => {
      const { agent } = await fixture.call<{ agent: { agent: { workflowId: string } } }>('GetAgent', { agentId });
      return { workflowId: agent.agent.workflowId };
    },
    refused: { request: { prompt: 'p', workflowId: 'wfl_none' }, code: 'not_found' },
  },
  ListAgents: {
    request: () => ({ view: 'VIEW_FULL', pagination: { pageSize: 2 } }),
    refused: { request: { pagination: { cursor: 'made up' } }, code: 'invalid_argument' },
  },
  GetAgent: { request: about, refused: noAgent },
  FindAgent: {
    request: (called) => ({ called }),
    refused: { request: { called: 'nobody' }, code: 'not_found' },
  },
  WatchAgents: { request: nothing, refused: { request: { cursor: 'made up' }, code: 'invalid_argument' } },
  RetryAgent: {
    request: about,
    endsAgent: true,
    prepare: async (fixture, agentId) => {
      await archived(fixture, agentId);
      await fixture.call('RestoreAgent', { agentId });
      return tell(fixture, agentId, { type: 'STEP_FAILED', step: 'opening', reason: 'no room' });
    },
    refused: noAgent,
  },
  ArchiveAgent: { request: about, endsAgent: true, refused: noAgent },
  RestoreAgent: { request: about, endsAgent: true, prepare: archived, refused: noAgent },
  DeleteAgent: { request: about, endsAgent: true, refused: noAgent },
  HoldAgent: { request: about, endsAgent: true, refused: noAgent },
  UnholdAgent: {
    request: about,
    endsAgent: true,
    prepare: async (fixture, agentId) => {
      await fixture.call('HoldAgent', { agentId });
      return {};
    },
    refused: noAgent,
  },
  ParkAgent: { request: about, endsAgent: true, refused: noAgent },
  UnparkAgent: { request: about, endsAgent: true, refused: noAgent },
  MoveAgent: {
    request: (agentId) => ({ agentId, cancel: true }),
    endsAgent: true,
    refused: noAgent,
  },
  RenameAgent: {
    request: (agentId) => ({ agentId, name: `called ${agentId}` }),
    refused: { request: { agentId: 'agt_none', name: 'x' }, code: 'not_found' },
  },
  MarkAgent: { request: (agentId) => ({ agentId, mark: 'm' }), refused: noAgent },
  IssueAgentToken: { request: about, refused: noAgent },
  AttachAgent: { request: (agentId) => ({ agentId, readOnly: true }), refused: noAgent },
  PromptAgent: {
    request: (agentId) => ({ agentId, prompt: 'Go on' }),
    refused: { request: { agentId: 'agt_none', prompt: 'x' }, code: 'not_found' },
  },
  InterruptAgent: { request: about, refused: noAgent },
  AnswerAgent: {
    request: (agentId) => ({ agentId, screenDigest: 'd1', keys: ['Down', 'Enter'] }),
    refused: { request: { agentId: 'agt_none', screenDigest: 'd', keys: ['Enter'] }, code: 'not_found' },
  },
  ExplainAgent: { request: (agentId) => ({ agentId, view: 'VIEW_FULL' }), refused: noAgent },
  ReadPane: { request: (agentId) => ({ agentId, attributes: true }), refused: noAgent },
  WatchPane: { request: (agentId) => ({ agentId }), refused: noAgent },
  TypeInPane: {
    request: (agentId) => ({ agentId, inputs: [{ text: 'é;' }, { key: 'Enter' }, { paste: 'two\nlines' }] }),
    endsAgent: true,
    prepare: async (fixture, agentId) => {
      await fixture.call('HoldAgent', { agentId });
      return {};
    },
    refused: { request: { agentId: 'agt_none', inputs: [{ text: 'x' }] }, code: 'not_found' },
  },
  ReportReason: { request: (agentId) => ({ agentId, reason: 'turn over' }), refused: noAgent },
  RecordMetadata: {
    request: (agentId) => ({ agentId, metadata: [{ key: 'ticket', value: 'ABC-1' }] }),
    refused: { request: { agentId: 'agt_none', metadata: [{ key: 'a', value: 'b' }] }, code: 'not_found' },
  },
  ReportResult: {
    request: (agentId) => ({ agentId, result: '{"passed":3}' }),
    refused: { request: { agentId: 'agt_none', result: 'x' }, code: 'not_found' },
  },
  CleanAgents: {
    request: (agentId) => ({ agentIds: [agentId], dryRun: true }),
    refused: { request: { agentIds: ['agt_none'] }, code: 'not_found' },
  },
  GetResult: {
    request: about,
    prepare: async (fixture, agentId) => {
      await fixture.call('ReportResult', { agentId, result: 'three tests pass' });
      return {};
    },
    refused: noAgent,
  },
  WaitForAgents: {
    request: (agentId) => ({ agentIds: [agentId], any: true, afterTurn: 1, until: ['AGENT_OUTCOME_FINISHED'] }),
    refused: { request: { agentIds: ['agt_none'] }, code: 'not_found' },
  },
  SummarizeAgents: {
    request: () => ({ since: '2026-11-20T22:00:00Z', pagination: { pageSize: 2 } }),
    refused: { request: { since: '2226-11-20T22:00:00Z' }, code: 'invalid_argument' },
  },
  SendMail: {
    request: (agentId) => ({ agentId, subject: 'The diff', body: 'Please look at it', kind: 'question' }),
    refused: { request: { agentId: 'agt_none', body: 'x' }, code: 'not_found' },
  },
  ListMail: { request: (agentId) => ({ agentId, view: 'VIEW_FULL' }), prepare: mailed, refused: noAgent },
  TakeMail: { request: (agentId) => ({ agentId, claimId: 'mine', limit: 2 }), prepare: mailed, refused: noAgent },
  ClaimDoorbells: { request: about, prepare: mailed, refused: noAgent },
  WaitForDoorbells: { request: about, prepare: mailed, refused: noAgent },
  StartReviewRound: { request: (agentId) => ({ agentId, base: 'main' }), refused: noAgent },
  ListReviewRounds: {
    request: (agentId) => ({ agentId, pagination: { pageSize: 1 } }),
    prepare: reviewed,
    refused: noAgent,
  },
  GetReviewDiff: {
    request: (agentId) => ({ agentId, filePath: 'src/a.ts', pageBytes: 2_048, context: 5 }),
    prepare: reviewed,
    refused: noAgent,
  },
  CreateReviewThread: {
    request: (agentId) => ({
      ...place,
      agentId,
      body: 'Say what it is.',
      quotedLines: ['+b', ' c'],
      suggestion: ['b'],
    }),
    prepare: reviewed,
    refused: { request: { ...place, agentId: 'agt_none', body: 'x' }, code: 'not_found' },
  },
  ReplyReviewThread: {
    request: () => ({ body: 'Done.', suggestion: ['c'] }),
    prepare: released,
    refused: { request: { threadId: 'thr_none', body: 'x' }, code: 'not_found' },
  },
  EditReviewMessage: {
    request: () => ({ body: 'Better said.' }),
    prepare: async (fixture, agentId) => ({ messageId: (await commented(fixture, agentId)).messageId }),
    refused: { request: { messageId: 'msg_none', body: 'x' }, code: 'not_found' },
  },
  DeleteReviewThread: { request: nothing, prepare: threaded, refused: noThread },
  ReleaseReview: {
    request: (agentId) => ({ agentId, verdict: 'REVIEW_VERDICT_APPROVED', summary: 'Good' }),
    prepare: reviewed,
    refused: { request: { agentId: 'agt_none', verdict: 'REVIEW_VERDICT_APPROVED' }, code: 'not_found' },
  },
  DiscardReview: { request: about, refused: noAgent },
  ApplyReviewSuggestion: { request: nothing, prepare: released, refused: noThread },
  ListReviewThreads: {
    request: (agentId) => ({ agentId, pagination: { pageSize: 2 } }),
    prepare: async (fixture, agentId) => {
      await released(fixture, agentId);
      return {};
    },
    refused: noAgent,
  },
  ResolveReviewThread: { request: nothing, prepare: released, refused: noThread },
  ReopenReviewThread: {
    request: nothing,
    prepare: async (fixture, agentId) => {
      const thread = await released(fixture, agentId);
      await fixture.call('ResolveReviewThread', thread);
      return thread;
    },
    refused: noThread,
  },
  MarkReviewThreadsRead: {
    request: nothing,
    prepare: async (fixture, agentId) => ({ threadIds: [(await released(fixture, agentId)).threadId] }),
    refused: { request: { threadIds: ['thr_none'] }, code: 'not_found' },
  },
  ListWorkflows: {
    request: () => ({ pagination: { pageSize: 1 } }),
    refused: { request: { pagination: { pageSize: -1 } }, code: 'invalid_argument' },
  },
  GetWorkflow: { request: nothing, prepare: aWorkflow, refused: noWorkflow },
  CreateWorkflow: {
    request: (agentId) => ({ name: `for ${agentId}`, cwd: '/repo', scripts: { setup: 'true' }, copyFiles: ['.env'] }),
    refused: { request: { name: 'default', cwd: '/repo' }, code: 'already_exists' },
  },
  UpdateWorkflow: {
    request: () => ({ flags: '--model opus', clear: ['context'] }),
    prepare: aWorkflow,
    refused: noWorkflow,
  },
  AllowConnections: {
    request: () => ({ hosts: ['registry.npmjs.org'] }),
    prepare: aWorkflow,
    refused: { request: { workflowId: 'wfl_none', hosts: ['registry.npmjs.org'] }, code: 'not_found' },
  },
  ConfirmRepository: {
    request: () => ({ remoteUrl: 'git@github.com:owner/name.git' }),
    prepare: aWorkflow,
    refused: { request: { workflowId: 'wfl_none', remoteUrl: 'git@github.com:owner/name.git' }, code: 'not_found' },
  },
  WithdrawRepository: {
    request: () => ({ remoteUrl: 'git@github.com:owner/name.git' }),
    prepare: async (fixture) => {
      const { id: workflowId }: Made<object> = await fixture.workflow();
      await fixture.call('ConfirmRepository', { workflowId, remoteUrl: 'https://github.com/owner/name' });
      return { workflowId };
    },
    refused: { request: { workflowId: 'wfl_none', remoteUrl: 'git@github.com:owner/name.git' }, code: 'not_found' },
  },
  TryWorkflow: { request: () => ({ setup: 'npm ci' }), prepare: aWorkflow, refused: noWorkflow },
  GetWorkflowTrial: { request: nothing, prepare: aTrial, refused: noTrial },
  StopWorkflowTrial: { request: nothing, prepare: aTrial, refused: noTrial },
  DeleteWorkflow: { request: nothing, prepare: aWorkflow, refused: noWorkflow },
  ...forgeTrials,
  ...hostTrials,
  ...approvalTrials,
  ...budgetTrials,
  ...profileTrials,
  ListRunLogs: {
    request: (agentId) => ({ agentId, failed: true, pagination: { pageSize: 1 } }),
    refused: { request: { agentId: 'agt_none' }, code: 'not_found' },
  },
  GetRunLog: { request: nothing, prepare: failedRun, refused: { request: { id: 999_999 }, code: 'not_found' } },
  AcknowledgeRun: { request: nothing, prepare: failedRun, refused: { request: { id: 999_999 }, code: 'not_found' } },
  ListFacts: {
    request: (subjectId) => ({ subjectId, pageSize: 3 }),
    refused: { request: { cursor: 'made up' }, code: 'invalid_argument' },
  },
  WatchFacts: {
    request: (subjectId) => ({ cursor: '0', subjectId }),
    refused: { request: { cursor: 'made up' }, code: 'invalid_argument' },
  },
  CreateSignInCode: { request: nothing },
  RotateTokens: { request: about, endsCaller: true, refused: noAgent },
  GetNotify: { request: nothing },
  UpdateNotify: {
    request: () => ({ notify: { command: 'true', on: ['NOTICE_KIND_FAILED'] } }),
    refused: { request: { notify: { webhook: 'nowhere' } }, code: 'invalid_argument' },
  },
  TestNotify: {
    request: nothing,
    prepare: async (fixture) => {
      await fixture.call('UpdateNotify', { notify: { command: 'true' } });
      return {};
    },
    refused: { request: { workflowId: 'wfl_none' }, code: 'not_found' },
  },
  ...pullRequestTrials,
  ...scheduleTrials,
  ...machineTrials,
};
