import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { runInside } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

describe('muster why of an agent with approvals', () => {
  let home: TemporaryFolder;
  let service: FakeService;

  beforeEach(async () => {
    home = temporaryFolder('why');
    service = await fleetService();
    service.on('agent.v1.AgentService/ExplainAgent', () => ({
      agent: { id: 'agt_reader', name: 'reader', state: 'AGENT_STATE_WAITING' as const, alive: true },
    }));
  });
  afterEach(async () => {
    await service.close();
    home.remove();
  });

  it('reports what approvals do with the question, and what they last answered', async () => {
    service.on('approval.v1.ApprovalService/TestApprovals', () => ({
      enabled: false,
      question: { form: 'permission', tool: 'shell', command: 'ls' },
      verdict: { action: 'APPROVAL_ACTION_ANSWER' as const, rule: 2, choice: 'Yes\u001b', reason: 'a rule agrees' },
      proposal: { action: 'APPROVAL_ACTION_ANSWER' as const, command: { exact: 'ls' } },
    }));
    const detail = JSON.stringify({ rule: 1, choice: 'Yes', command: 'git\nstatus', screen: 'x' });
    service.on('fact.v1.FactService/ListFacts', () => ({ facts: [{ at: '2026-11-21T08:58:00.000Z', detail }] }));
    const { out } = await runInside(['why', 'reader', '-o', 'table'], {
      env: { MUSTER_URL: service.url, SERVICE_TOKEN: 't', MUSTER_HOME: home.path },
    });
    expect(out)
      .to.include(
        'APPROVALS\nanswer by rule 2: Yes\\u001b (a rule agrees)\nRules are out of force: `muster approvals on`\n',
      )
      .and.to.include('A rule that agrees: {"action":"APPROVAL_ACTION_ANSWER","command":{"exact":"ls"}}\n')
      .and.to.match(/LAST ANSWERS BY RULE\n.* ago {2}rule 1: Yes {2}git · status\n/);
    expect(service.requestsOf('fact.v1.FactService/ListFacts')).to.deep.equal([
      { subjectId: 'agt_reader', kinds: ['agent.approved'], pageSize: 5 },
    ]);
  });
});
