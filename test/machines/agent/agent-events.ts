import type { AgentEvent } from '#machines/agent/agent-context.ts';

const worktree = { repository: '/repo/.git', path: '/w', branch: 'muster/a-1', baseSha: 'f'.repeat(40), copied: [] };

const budget = { ownerId: 'wfl_1', ownerName: 'web', measure: 'turns', used: 20, limit: 20, at: 5 } as const;

/** One event of each kind and outcome: enough to reach every state of an agent's machine. */
export const sampleEvents: readonly AgentEvent[] = [
  { type: 'RETRY' },
  { type: 'ARCHIVE' },
  { type: 'RESTORE' },
  { type: 'DELETE', force: false },
  { type: 'DELETE', force: true },
  { type: 'ABANDON' },
  { type: 'RENAME', name: 'other' },
  { type: 'HOLD', at: 5 },
  { type: 'UNHOLD' },
  { type: 'BUDGET_SPENT', budget },
  { type: 'BUDGET_CONTINUED' },
  { type: 'HOST_LOST', host: 'build-2', since: '2026-11-21T09:00:00.000Z', left: {} },
  { type: 'HOST_BACK' },
  { type: 'UNSTOPPED', reason: 'goes on with its turn' },
  { type: 'WORKTREE_READY', worktree },
  { type: 'SETUP_DONE' },
  { type: 'WINDOW_OPENED', paneId: '%1' },
  { type: 'WINDOW_OPENED', paneId: '%1', versionPending: true },
  { type: 'CONNECTION_REFUSED', destination: 'example.com:443' },
  { type: 'CONNECTIONS_ALLOWED', destinations: ['example.com:443'] },
  { type: 'VERSION_READ', paneId: '%1', harnessVersion: '2.2.0' },
  { type: 'BRIEFED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } },
  { type: 'WORKTREE_INSPECTED' },
  { type: 'PANE_CLOSED' },
  { type: 'TEARDOWN_DONE' },
  { type: 'WORKTREE_REMOVED' },
  { type: 'STEP_FAILED', step: 'opening', reason: 'no such program' },
  { type: 'READING', reading: { state: 'AGENT_STATE_IDLE', reason: '' } },
  { type: 'READING', reading: { state: 'AGENT_STATE_THINKING', reason: '' } },
  { type: 'READING', reading: { state: 'AGENT_STATE_WAITING', reason: 'permission' } },
  { type: 'READING', reading: { state: 'AGENT_STATE_UNCERTAIN', reason: 'draft' } },
  { type: 'PROMPTED', reading: { state: 'AGENT_STATE_THINKING', reason: '' } },
  { type: 'PROMPTED', reading: { state: 'AGENT_STATE_IDLE', reason: '' } },
  { type: 'REPORTED', report: { reason: 'working', at: 1 }, session: { id: 'ses_1', at: 1 } },
  { type: 'CHECKOUT_READ', checkout: { branch: 'muster/a-1' }, worktreeGone: false },
  { type: 'DOUBTED', reason: 'its terminal does not answer' },
  { type: 'PANE_GONE', reason: 'the CLI exited with status 1', briefed: false },
  { type: 'PANE_GONE', reason: 'the CLI exited with status 0', briefed: true },
  { type: 'DEADLINE', name: 'settingUp.opening' },
];

/** Every phase that an agent can rest in between two events. */
export const phases = [
  'settingUp.provisioning',
  'settingUp.preparing',
  'settingUp.opening',
  'settingUp.briefing.delivering',
  'settingUp.briefing.asked',
  'failedToCreate',
  'live.idle',
  'live.thinking',
  'live.waiting',
  'live.uncertain',
  'dormant',
  'archiving',
  'archived',
  'cleaningUp.inspecting',
  'cleaningUp.closing',
  'cleaningUp.tearingDown',
  'cleaningUp.removing',
  'failedToCleanup',
  'gone',
] as const;
export type Phase = (typeof phases)[number];
