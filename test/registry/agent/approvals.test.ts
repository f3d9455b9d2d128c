import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import type { z } from 'zod';
import { onEachFact } from '#bus/facts.ts';
import type { ApprovalRule } from '#contract/approval/approval-rule.ts';
import type { hostCalls } from '#contract/wire/registry.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type As, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

type Reported = z.input<typeof hostCalls.question.response>;
const screen = {
  text: 'Bash command\n\u001b[1mgit status\u001b[0m',
  above: 0,
  title: '',
  programStatus: '',
  progress: '',
  width: 80,
  height: 24,
  cursor: { column: 0, row: 0 },
  command: 'claude',
  inMode: false,
  dead: false,
};
const asking = (command: string): Reported => ({
  screenDigest: `screen of ${command}`,
  questionDigest: `question of ${command}`,
  screen,
  question: {
    form: 'permission',
    tool: 'shell',
    command,
    text: `Bash command\n${command}`,
    whole: true,
    choices: [
      { label: 'Yes', keys: ['1'] },
      { label: 'No', keys: ['2'] },
    ],
    yes: 0,
    no: 1,
  },
});
const agree: ApprovalRule = { action: 'APPROVAL_ACTION_ANSWER', command: { glob: 'git status *' } };
const refuse: ApprovalRule = { action: 'APPROVAL_ACTION_REFUSE', command: { glob: 'rm *' } };

/** For JSON, which has no big integers. */
const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

describe('answers by rule', () => {
  let fixture: RegistryFixture;
  let workflowId: string;

  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());
  beforeEach(async () => {
    fixture.host.typed.length = 0;
    fixture.host.asks = undefined;
    ({ id: workflowId } = await fixture.workflow());
  });

  const rules = (given: readonly ApprovalRule[]) => fixture.call('SetApprovals', { workflowId, rules: given });
  const facts = async (subjectId: string, kind: string): Promise<Record<string, unknown>[]> => {
    const found = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', {
      subjectId,
      pageSize: 200,
    });
    return found.facts.filter((one) => one.kind === kind).map(({ detail }) => JSON.parse(detail));
  };
  /** The agents into whose panes an answer was typed; one of an earlier test may show the same question again. */
  const typedAt = () => fixture.host.typed.map(([, request]) => (request as { readonly agentId: string }).agentId);
  const approved = (agentId: string, count = 1) =>
    moment(`${count} answers`, async () => {
      const found = await facts(agentId, 'agent.approved');
      return found.length >= count ? found : undefined;
    });
  async function living(more: object = {}, as: As = 'person'): Promise<string> {
    const { id } = await fixture.create({ workflowId, ...more }, as);
    await fixture.host.bringUp(id);
    return id;
  }
  /** Shows a question, or the same one again after some work. */
  async function ask(agentId: string, command: string, asked = command): Promise<void> {
    fixture.host.asks = asking(command);
    const work = { state: 'AGENT_STATE_THINKING', reason: '' } as const;
    await fixture.host.tell(agentId, { type: 'READING', reading: work });
    const reading = { state: 'AGENT_STATE_WAITING', reason: 'permission', asked } as const;
    await fixture.host.tell(agentId, { type: 'READING', reading });
  }
  /** The verdict on an agent's question, which is decided after whatever was due before. */
  const verdict = async (agentId: string): Promise<unknown> =>
    (await fixture.call<{ verdict?: { action?: string } }>('TestApprovals', { agentId })).verdict?.action;

  it('take the choice, bound to the question, and record rule and screen', async () => {
    await rules([agree, refuse]);
    const id = await living();
    await ask(id, 'git status -s');
    expect(await approved(id)).to.deep.equal([
      {
        rule: 1,
        workflowId,
        refused: false,
        choice: 'Yes',
        form: 'permission',
        tool: 'shell',
        text: 'Bash command\ngit status -s',
        command: 'git status -s',
        transition: 2,
        question: 'question of git ',
        screen: 'Bash command\ngit status',
      },
    ]);
    const request = { agentId: id, screenDigest: 'screen of git status -s', text: '', keys: ['1'] };
    expect(fixture.host.typed).to.deep.equal([['answer', { ...request, questionDigest: 'question of git status -s' }]]);
    await ask(id, 'rm -rf /');
    expect((await approved(id, 2))[0]).to.include({ rule: 2, refused: true, choice: 'No' });
    expect(await facts(id, 'agent.answered')).to.deep.equal([]);
  });

  it('are not given while rules are out of force, and are once they are in force again', async () => {
    await rules([agree]);
    const id = await living();
    expect(await fixture.call('SwitchApprovals', { enabled: false })).to.deep.equal({ enabled: false });
    await ask(id, 'git status');
    expect(await verdict(id)).to.equal('APPROVAL_ACTION_ANSWER');
    expect(fixture.host.typed).to.deep.equal([]);
    const outcome = async (): Promise<unknown> => {
      const { parts } = await fixture.call<{ parts: { checks: { name: string; outcome: string }[] }[] }>(
        'RunDoctor',
        {},
      );
      return parts[0]?.checks.find(({ name }) => name === 'approvals')?.outcome;
    };
    expect(await outcome()).to.equal('CHECK_OUTCOME_WARNING');
    await fixture.call('SwitchApprovals', { enabled: true });
    await approved(id);
    expect(await outcome()).to.equal('CHECK_OUTCOME_OK');
  });

  it('are not given if the rules change before the host types, and switching them off waits for none', async () => {
    await rules([agree]);
    const id = await living();
    let permitted: () => void = () => {};
    let isAsked: () => void = () => {};
    const askedFor = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    fixture.host.beforePermit = {
      // biome-ignore lint/suspicious/noThenProperty: reports when the host is about to ask for its permit.
      then: (resolve: () => void) => {
        isAsked();
        permitted = resolve;
      },
    } as unknown as Promise<unknown>;
    await ask(id, 'git status');
    await askedFor;
    const off = fixture.call('SwitchApprovals', { enabled: false });
    await moment('the switch', async () => {
      const { enabled } = await fixture.call<{ enabled: boolean }>('GetApprovals', {});
      return enabled === false || undefined;
    });
    permitted();
    await off;
    expect(fixture.host.typed).to.deep.equal([]);
    fixture.host.beforePermit = Promise.resolve();
    await rules([]);
    // Its question no longer stands, so that no later rule answers it.
    await fixture.host.tell(id, { type: 'READING', reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
    await fixture.call('SwitchApprovals', { enabled: true });
  });

  it('are given once to a question that still stands, whatever else changes about the agent', async () => {
    await rules([agree]);
    const id = await living();
    await ask(id, 'git status');
    await approved(id);
    await rules([agree, refuse]);
    await fixture.call('RenameAgent', { agentId: id, name: `renamed-${id.toLowerCase().replaceAll('_', '-')}` });
    const other = await living();
    await ask(other, 'git status');
    await approved(other);
    expect(typedAt().filter((one) => one === id || one === other)).to.deep.equal([id, other]);
    await ask(id, 'git status');
    await approved(id, 2);
  });

  it('are limited to some a minute, and then a person is asked', async () => {
    await rules([agree]);
    const id = await living();
    for (let at = 1; at <= 12; at += 1) {
      await ask(id, 'git status', `question ${at}`);
      await approved(id, at);
    }
    await ask(id, 'git status', 'one more');
    await moment('the limit', async () => (await facts(id, 'agent.approvals-limited'))[0]);
    expect(typedAt().filter((one) => one === id)).to.have.length(12);
  });

  it('follow the workflow of whoever launched the agent, and what its own refuses', async () => {
    await rules([agree]);
    const parent = await living({ role: 'AGENT_ROLE_IMPLEMENTER', provisionEnabled: false });
    const { id: other } = await fixture.workflow({ name: 'another' });
    const anything: ApprovalRule = { action: 'APPROVAL_ACTION_ANSWER', command: { glob: 'npm *' } };
    const no: ApprovalRule = { action: 'APPROVAL_ACTION_REFUSE', command: { exact: 'git status -v' } };
    await fixture.call('SetApprovals', { workflowId: other, rules: [anything, no] });
    await fixture.call('UpdateWorkflow', { workflowId, agentsMayLaunch: { workflowIds: [other] } });
    const child = await living({ workflowId: other }, { agentId: parent });
    const on = async (command: string): Promise<unknown> => {
      fixture.host.asks = asking(command);
      return verdict(child);
    };
    expect(await on('git status')).to.equal('APPROVAL_ACTION_ANSWER');
    expect(await on('npm test')).to.equal('APPROVAL_ACTION_ASK');
    expect(await on('git status -v')).to.equal('APPROVAL_ACTION_REFUSE');
  });

  it('may come first, as the fact of the question says, if rules are in force for the agent and see it', async () => {
    const marks = async (agentId: string) =>
      (await facts(agentId, 'agent.waits')).map(({ ruleMayAnswer }) => ruleMayAnswer);
    const { id: other } = await fixture.workflow({ name: 'without rules' });
    await fixture.call('UpdateWorkflow', { workflowId, agentsMayLaunch: { workflowIds: [other] } });
    const ruled = await living({ role: 'AGENT_ROLE_IMPLEMENTER', provisionEnabled: false });
    const child = await living({ workflowId: other }, { agentId: ruled });
    const plain = await living({ workflowId: other });
    await rules([refuse]);
    for (const id of [ruled, child, plain]) await ask(id, 'git push');
    expect([await marks(ruled), await marks(child)]).to.deep.equal([[true], [true]]);
    expect(await marks(plain)).to.deep.equal([undefined]);
    const unseen = { state: 'AGENT_STATE_UNCERTAIN', reason: '', asksUnseen: true } as const;
    await fixture.host.tell(ruled, { type: 'READING', reading: unseen });
    expect(await marks(ruled), 'its screen does not show it yet').to.deep.equal([true, true]);
    await fixture.call('ParkAgent', { agentId: ruled });
    await ask(ruled, 'git push');
    await fixture.call('SwitchApprovals', { enabled: false });
    await ask(child, 'git push');
    await fixture.call('SwitchApprovals', { enabled: true });
    expect([(await marks(ruled))[0], (await marks(child))[0]]).to.deep.equal([undefined, undefined]);
  });

  it('are not waited for by people who wait for an agent, and not shown to agents', async () => {
    await rules([agree]);
    const lead = await living({ role: 'AGENT_ROLE_ORCHESTRATOR' });
    const [id, other] = [await living(), await living()];
    interface Answer {
      readonly agents: readonly { readonly outcome: string }[];
      readonly cursor: string;
    }
    const wait = async (agentId: string, cursor = '', as: As = 'person') => {
      const answer = await fixture.call<Answer>('WaitForAgents', { agentIds: [agentId], cursor }, as);
      return { cursor: answer.cursor, outcomes: answer.agents.map(({ outcome }) => outcome) };
    };
    const { cursor } = await wait(id);
    await ask(id, 'git status');
    await approved(id);
    await fixture.host.tell(id, { type: 'READING', reading: { state: 'AGENT_STATE_THINKING', reason: '' } });
    expect((await wait(id, cursor)).outcomes, 'it was answered').to.deep.equal([]);
    // A CLI may be at work before the registry knows what its host has typed.
    const early = await wait(other);
    await ask(other, 'git push');
    await fixture.store.write(({ leases }) => leases.take(`approval:${other}`, { holder: 'a registry' }, 31_000));
    await fixture.host.tell(other, { type: 'READING', reading: { state: 'AGENT_STATE_THINKING', reason: '' } });
    expect((await wait(other, early.cursor)).outcomes, 'it is being answered').to.deep.equal([]);
    await fixture.store.write(({ leases }) => leases.remove(`approval:${other}`, 'a registry'));
    expect((await wait(other, early.cursor)).outcomes, 'nobody has').to.deep.equal(['AGENT_OUTCOME_WAITS']);
    const begun = await wait(other);
    await ask(other, 'git push');
    expect((await wait(other, begun.cursor)).outcomes, 'a rule may yet answer').to.deep.equal([]);
    expect((await wait(other, '', { agentId: lead })).outcomes).to.deep.equal(['AGENT_OUTCOME_WAITS']);
    const hints: unknown[] = [];
    const heard = onEachFact(fixture.gateway, (...hint) => hints.push(hint));
    fixture.clock.pass(3_900);
    expect((await wait(other, begun.cursor)).outcomes, 'a rule may yet answer').to.deep.equal([]);
    await moment('watches are told that its time is over', () =>
      hints.some((hint) => isDeepStrictEqual(hint, ['agent.waits', other])),
    );
    heard.close();
    fixture.clock.pass(1_100);
    await fixture.host.beat();
    for (const at of ['', begun.cursor])
      expect((await wait(other, at)).outcomes, 'no rule has').to.deep.equal(['AGENT_OUTCOME_WAITS']);
    const summary = async (as: As) => {
      const since = new Date(fixture.clock.now() - 60_000).toISOString();
      const { agents } = await fixture.call<{ agents: { agentId: string; approved?: number }[] }>(
        'SummarizeAgents',
        { since },
        as,
      );
      return agents.find(({ agentId }) => agentId === id)?.approved;
    };
    expect([await summary('person'), await summary({ agentId: lead })]).to.deep.equal([1, undefined]);
  });

  it('are proposed as the narrowest rule, added once, and end with the workflow', async () => {
    const id = await living();
    fixture.host.asks = asking('git push && x');
    const tried = await fixture.call<{ proposal: ApprovalRule; verdict: object }>('TestApprovals', { agentId: id });
    const proposal = { action: 'APPROVAL_ACTION_ANSWER', tools: ['shell'], command: { exact: 'git push && x' } };
    expect(tried.proposal).to.deep.equal(proposal);
    for (const _ of [1, 2])
      expect(await fixture.call('AddApproval', { workflowId, rule: proposal })).to.deep.equal({ rules: [proposal] });
    expect(await verdict(id)).to.equal('APPROVAL_ACTION_ANSWER');
  });

  it('are tried on a recorded screen only of a known CLI and in its width', async () => {
    const refused = async (request: object) => (await failureOf(() => fixture.call('TestApprovals', request))).message;
    const recorded = { screen: 'x'.repeat(80) };
    expect(await refused(recorded)).to.match(/^harness is missing/);
    expect(await refused({ ...recorded, harness: 'nope' })).to.match(/^A recorded screen of "nope" cannot be read/);
    expect(await refused({ ...recorded, harness: 'claude', width: 3 })).to.match(/^width is 3, .* 80 columns/);
    expect(await fixture.call('TestApprovals', { ...recorded, harness: 'claude' })).to.deep.equal({ enabled: true });
  });

  it('keep the notices of the questions that they answer, and of no others', async () => {
    const { id: flow } = await fixture.workflow({
      notify: { command: `printf '%s\\n' "$MUSTER_TEXT" >> '${fixture.folder.path}/notices'` },
    });
    await fixture.call('SetApprovals', { workflowId: flow, rules: [agree] });
    const notices = join(fixture.folder.path, 'notices');
    const text = () => (existsSync(notices) ? readFileSync(notices, 'utf8') : '');
    const [one, other] = [
      await living({ workflowId: flow, title: 'one' }),
      await living({ workflowId: flow, title: 'other' }),
    ];
    await ask(one, 'git status');
    await approved(one);
    const work = { state: 'AGENT_STATE_THINKING', reason: '' } as const;
    await fixture.host.tell(one, { type: 'READING', reading: work });
    await ask(other, 'git push');
    // It waits for a rule from when it is written.
    await moment('a notice', async () =>
      JSON.stringify(await fixture.database.rowsIn('notice'), plain).includes(other),
    );
    fixture.clock.pass(5_000);
    await fixture.host.beat();
    await moment('the notice of the other', () => text().includes('other waits for you: git push'));
    const isSent = async () => (await fixture.database.rowsIn('notice')).length === 0;
    await moment('none is left', isSent);
    expect(text()).to.equal('other waits for you: git push\n');
  });
});
