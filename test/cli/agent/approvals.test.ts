import { expect } from 'chai';
import { type Outcome, runInside } from '../command-line.ts';
import type { FakeService } from '../fake-service.ts';
import { fleetService } from '../fleet.ts';

const method = 'approval.v1.ApprovalService';
const rule = { action: 'APPROVAL_ACTION_ANSWER', command: { glob: 'npm test *' } } as const;
const tried = {
  question: { form: 'permission', tool: 'shell', command: 'npm test', text: 'Bash command\nnpm test', whole: true },
  verdict: { action: 'APPROVAL_ACTION_ANSWER', rule: 1, choice: 'Yes', reason: 'a rule agrees' },
  proposal: rule,
  enabled: true,
} as const;

describe('muster approvals', () => {
  let service: FakeService;
  beforeEach(async () => {
    service = await fleetService();
    service.on(`${method}/TestApprovals`, () => tried);
  });
  afterEach(() => service.close());
  const muster = (...argv: string[]): Promise<Outcome> =>
    runInside([...argv, '-o', 'table'], { env: { MUSTER_URL: service.url, SERVICE_TOKEN: 't' } });

  it('shows, sets and adds rules of a workflow, and says whether they are in force', async () => {
    service.on(`${method}/GetApprovals`, () => ({ rules: [rule], enabled: false }));
    service.on(`${method}/SetApprovals`, ({ rules = [] }) => ({ rules }));
    service.on(`${method}/AddApproval`, () => ({ rules: [rule, rule] }));
    const { out } = await muster('approvals', 'show', 'default');
    expect(out).to.include('out of force').and.to.include('"glob": "npm test *"');
    expect((await muster('approvals', 'set', 'default', JSON.stringify([rule]))).out).to.equal('1 rule\n');
    expect((await muster('approvals', 'add', 'default', JSON.stringify(rule))).out).to.equal('2 rules\n');
    const inWords = JSON.stringify([{ ...rule, action: 'answer' }]);
    expect((await muster('approvals', 'set', 'default', inWords)).out).to.equal('1 rule\n');
    const request = { workflowId: 'wfl_1', rules: [rule] };
    expect(service.requestsOf(`${method}/SetApprovals`)).to.deep.equal([request, request]);
    const { err, code } = await muster('approvals', 'set', 'default', '[');
    expect([code, err]).to.satisfy(([status, text]: [number, string]) => status === 2 && text.includes('is not JSON'));
    // As after a jq that found nothing.
    expect(await muster('approvals', 'set', 'default', 'null')).to.include({ code: 2 });
    expect(service.requestsOf(`${method}/SetApprovals`)).to.have.length(2);
  });

  it('puts rules out of force, and in force again', async () => {
    service.on(`${method}/SwitchApprovals`, ({ enabled }) => ({ enabled }));
    expect((await muster('approvals', 'off')).out).to.equal('Rules are out of force\n');
    expect((await muster('approvals', 'on')).out).to.equal('Rules are in force\n');
    expect(service.requestsOf(`${method}/SwitchApprovals`)).to.deep.equal([{ enabled: false }, { enabled: true }]);
  });

  it('tries rules on the question of an agent, and on those of its log', async () => {
    const { out } = await muster('approvals', 'test', 'reader');
    expect(out).to.equal(
      `permission: Bash command · npm test\nanswer by rule 1: Yes (a rule agrees)\nA rule that agrees: ${JSON.stringify(rule)}\n`,
    );
    const screen = { text: 'shown', rowsAbove: 1, width: 90, height: 30 };
    const waits = { at: '2026-11-21T08:57:00.000Z', to: 'AGENT_STATE_WAITING', harness: 'claude', screen } as const;
    service.on('agent.v1.AgentService/ExplainAgent', () => ({
      agent: { workflowId: 'wfl_1' },
      moves: [waits, { ...waits, to: 'AGENT_STATE_IDLE' as const }],
    }));
    expect((await muster('approvals', 'test', 'reader', '--log')).out).to.match(
      /^2026-11-21T08:57:00.000Z {2}permission: /,
    );
    const shown = { screen: '\nshown', harness: 'claude', width: 90, height: 30 };
    expect(service.requestsOf(`${method}/TestApprovals`)).to.deep.equal([
      { agentId: 'agt_reader' },
      { workflowId: 'wfl_1', ...shown },
    ]);
  });

  it('refuses to try a screen without its CLI, and an agent together with a screen', async () => {
    for (const argv of [[], ['--screen', 'x'], ['reader', '--screen', 'x', '--harness', 'claude']])
      expect(await muster('approvals', 'test', ...argv), argv.join(' ')).to.include({ code: 2, out: '' });
  });

  it('are part of why an agent waits', async () => {
    service.on('agent.v1.AgentService/ExplainAgent', () => ({
      agent: { name: 'reader', state: 'AGENT_STATE_WAITING' as const },
    }));
    const detail = JSON.stringify({ rule: 2, choice: 'No', command: 'rm -rf x', screen: 'all of it' });
    service.on('fact.v1.FactService/ListFacts', () => ({ facts: [{ kind: 'agent.approved', detail }] }));
    const { out } = await muster('why', 'reader');
    expect(out).to.include('APPROVALS\nanswer by rule 1: Yes (a rule agrees)\n');
    expect(out)
      .to.include('LAST ANSWERS BY RULE\n')
      .and.to.include('rule 2: No  rm -rf x')
      .and.not.include('all of it');
  });
});
