import type { AgentRow } from '#contract/agent/agent-row.ts';
import { type FakeService, fakeService } from './fake-service.ts';

/** A row of the list with what a test does not name filled in. */
export function agentRow(agent: NonNullable<AgentRow['agent']>, row: Partial<AgentRow> = {}): AgentRow {
  return {
    agent: {
      id: `agt_${agent.name}`,
      state: 'AGENT_STATE_IDLE',
      harness: 'claude',
      workflowId: 'wfl_1',
      alive: true,
      stateChangedAt: '2026-11-21T08:57:00.000Z',
      ...agent,
    },
    ...row,
  };
}

/** A fleet in every kind of state, two of it a family, one of it archived. */
export const fleet: readonly AgentRow[] = [
  agentRow({ name: 'busy', state: 'AGENT_STATE_THINKING', branch: 'muster/other-work' }, { mark: 'b' }),
  agentRow({ name: 'lead', branch: 'muster/lead', task: 'carry the rewrite through' }, { unreadMail: true }),
  agentRow({ name: 'asleep', alive: false }),
  agentRow({
    name: 'reader',
    state: 'AGENT_STATE_WAITING',
    stateReason: 'permission',
    waitingFor: 'Bash command · npm run deploy · Do you want to proceed?',
    parentAgentId: 'agt_lead',
  }),
  agentRow({ name: 'reader-two', state: 'AGENT_STATE_THINKING', parentAgentId: 'agt_lead' }),
  agentRow({
    name: 'broken',
    state: 'AGENT_STATE_FAILED_TO_CREATE',
    alive: false,
    stateReason: 'provisioning: there is no branch next\ndetails',
  }),
  agentRow({ name: 'evil\u001b[31m\u202e', state: 'AGENT_STATE_UNCERTAIN', harness: 'codex' }),
];
export const archivedRow = agentRow({ name: 'old', alive: false, archivedAt: '2026-11-20T00:00:00.000Z' });

/** A service that lists the fleet, two agents a page, and one workflow. */
export async function fleetService(port?: number): Promise<FakeService> {
  const service = await fakeService(undefined, port);
  service.on('agent.v1.AgentService/ListAgents', ({ archived, pagination }) => {
    const rows = archived ? [archivedRow] : fleet;
    const start = Number(pagination?.cursor ?? 0);
    const next = start + 2;
    return { agents: rows.slice(start, next), ...(next < rows.length && { nextPageToken: String(next) }) };
  });
  service.on('agent.v1.AgentService/GetAgent', ({ agentId }) => ({
    agent: [...fleet, archivedRow].find(({ agent }) => agent?.id === agentId),
  }));
  service.on('workflow.v1.WorkflowService/ListWorkflows', () => ({
    workflows: [
      {
        id: 'wfl_1',
        name: 'default',
        cwd: '/src/app',
        harness: 'claude',
        scripts: { setup: 'npm ci', teardown: 'rm x' },
      },
    ],
  }));
  return service;
}
