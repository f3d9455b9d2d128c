import { expect } from 'chai';
import type { z } from 'zod';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { explainAgent, readPane, watchPane } from '#contract/operations/pane.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import { failureOf } from '#test/support/failure.ts';
import { type As, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

type Explanation = z.output<typeof explainAgent.response>;
type Pane = z.output<typeof readPane.response>;

const bold = '\u001b[1m';
const screen: Sighting['screen'] = {
  text: `${bold}Do you want to proceed?\u001b[0m\n❯ 1. Yes\n  2. No`,
  above: 0,
  title: '✳ Claude Code',
  programStatus: '',
  progress: '',
  width: 80,
  height: 24,
  cursor: { column: 1, row: 2 },
  command: 'claude',
  inMode: false,
  dead: false,
};
const waiting = {
  at: Date.UTC(2026, 10, 21, 9, 5),
  screen,
  screenDigest: 'd1',
  reading: {
    state: 'AGENT_STATE_WAITING' as const,
    rule: 'claude/permission',
    evidence: ['❯ 1. Yes'],
    reason: 'permission',
    detail: '',
  },
  lost: [{ rule: 'claude/rest', why: 'outranked by claude/permission' }],
  rules: { harness: 'claude', version: 'abc123' },
};
/** The same as it is answered: a host names only what is not answered by keys. */
const waitingReading = { ...waiting.reading, answer: 'ANSWER_KIND_KEY' };
const sighting: Sighting = {
  harness: 'claude',
  rules: 'abc123',
  rule: 'claude/permission',
  evidence: ['❯ 1. Yes'],
  screen,
};

describe('the pane of an agent', () => {
  let fixture: RegistryFixture;
  let id: string;

  beforeEach(async () => {
    fixture = await registryFixture();
    fixture.host.pane = waiting;
    id = (await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' })).id;
    await fixture.host.bringUp(id);
  });
  afterEach(() => fixture.close());

  const explain = (request: object = {}, as: As = 'person') =>
    fixture.call<Explanation>('ExplainAgent', { agentId: id, ...request }, as);
  const read = (agentId: string, as: As = 'person', more: object = {}) =>
    fixture.call<Pane>('ReadPane', { agentId, ...more }, as);
  const ask = () =>
    fixture.host.tell(id, {
      type: 'READING',
      reading: { state: 'AGENT_STATE_WAITING', reason: 'permission' },
      sighting,
    });

  it('is shown with its question in every answer with the agent, until it continues', async () => {
    const tell = (asked: string) =>
      fixture.host.tell(id, {
        type: 'READING',
        reading: { state: 'AGENT_STATE_WAITING', reason: 'permission', asked },
      });
    const one = async () => (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId: id })).agent;
    await tell('Bash command · npm test');
    const before = await one();
    expect(before.agent).to.include({ stateReason: 'permission', waitingFor: 'Bash command · npm test' });
    await tell('Bash command · npm run deploy');
    const after = await one();
    expect(after.agent?.waitingFor).to.equal('Bash command · npm run deploy');
    expect(after.agent?.stateChangedAt).to.equal(before.agent?.stateChangedAt);
    const { agents = [] } = await fixture.call<{ agents?: AgentRow[] }>('ListAgents', {});
    expect(agents.map(({ agent }) => agent?.waitingFor)).to.deep.equal(['Bash command · npm run deploy']);
    const other = (await fixture.create({ provisionEnabled: false, role: 'AGENT_ROLE_IMPLEMENTER' })).id;
    const seenBy = async (as: As) =>
      (await fixture.call<{ agent: AgentRow }>('GetAgent', { agentId: id }, as)).agent.agent?.waitingFor ?? '';
    expect(await seenBy({ agentId: id })).to.equal('Bash command · npm run deploy');
    expect(await seenBy({ agentId: other }), 'who may not read the pane').to.equal('');
    await fixture.host.tell(id, { type: 'READING', reading: { state: 'AGENT_STATE_THINKING', reason: '' } });
    expect((await one()).agent?.waitingFor).to.equal('');
  });

  describe('explained', () => {
    it('shows its current reading, the rules that it uses, and the losing rules', async () => {
      await ask();
      const { moves, agent, ...rest } = await explain();
      expect(agent).to.deep.include({ id, state: 'AGENT_STATE_WAITING', stateReason: 'permission' });
      expect(rest).to.deep.equal({
        source: 'EXPLANATION_SOURCE_LIVE',
        readAt: '2026-11-21T09:05:00.000Z',
        reading: waitingReading,
        lost: waiting.lost,
        rules: waiting.rules,
      });
      expect(moves?.map(({ from, to }) => [from, to])).to.deep.equal([
        ['AGENT_STATE_THINKING', 'AGENT_STATE_WAITING'],
        ['AGENT_STATE_SETTING_UP', 'AGENT_STATE_THINKING'],
      ]);
    });

    it('shows why the list differs', async () => {
      expect((await explain()).difference)
        .to.include('THINKING')
        .and.include('(permission)');
    });

    it('shows a refused rules file', async () => {
      const faults = [{ line: 3, reason: 'launch: Unrecognized key: "comand"' }];
      const rules = { ...waiting.rules, file: '/rules/claude.json', faults, instead: 'the built-in version' };
      fixture.host.pane = { ...waiting, rules };
      expect((await explain()).rules).to.deep.equal(rules);
    });

    it('has the screens of its transitions on request, also after a restart of the registry', async () => {
      await ask();
      expect((await explain()).moves?.[0]).to.not.have.property('screen');
      await fixture.restart();
      const [last, first] = (await explain({ view: 'VIEW_FULL' })).moves ?? [];
      expect(last).to.deep.include({
        ordinal: 2,
        reason: 'permission',
        rule: 'claude/permission',
        evidence: ['❯ 1. Yes'],
        harness: 'claude',
        rulesVersion: 'abc123',
      });
      expect(last?.screen).to.deep.include({ text: screen.text, title: screen.title, width: 80, cursorRow: 2 });
      expect(first).to.not.have.property('screen');
    });

    it('shows stored data, with the reason, while its host does not answer', async () => {
      await ask();
      await fixture.host.fallSilent();
      const { source, sourceReason, reading, rules, readAt } = await explain();
      expect(source).to.equal('EXPLANATION_SOURCE_RECORD');
      expect(sourceReason).to.match(/^Host hst_1\.example \(hst_1\) does not answer/);
      expect(reading).to.deep.include({ state: 'AGENT_STATE_WAITING', rule: 'claude/permission' });
      expect(rules).to.deep.equal({ harness: 'claude', version: 'abc123' });
      expect(readAt).to.equal('2026-11-21T09:00:00.000Z');
    });

    it('shows stored data once its pane is gone', async () => {
      const dead = { ...sighting, rule: 'pane/dead' };
      await fixture.host.tell(id, {
        type: 'PANE_GONE',
        reason: 'the CLI exited with status 0',
        briefed: true,
        sighting: dead,
      });
      const { source, sourceReason, reading } = await explain();
      expect(source).to.equal('EXPLANATION_SOURCE_RECORD');
      expect(sourceReason).to.include('has no running CLI: restore_agent');
      expect(reading).to.deep.include({ rule: 'pane/dead', reason: 'the CLI exited with status 0' });
    });

    it('has no reading before its first pane', async () => {
      const fresh = await fixture.create();
      const { reading, moves, sourceReason } = await explain({ agentId: fresh.id });
      expect({ reading, moves }).to.deep.equal({ reading: undefined, moves: [] });
      expect(sourceReason).to.include('is being set up');
    });

    it('is only for a person, and for the agent itself', async () => {
      expect((await explain({}, { agentId: id })).source).to.equal('EXPLANATION_SOURCE_LIVE');
      const child = await fixture.create({ parentAgentId: id });
      const orchestrator = await fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR', provisionEnabled: false });
      for (const { id: other } of [child, orchestrator]) {
        expect((await failureOf(() => explain({}, { agentId: other }))).code).to.equal('permission_denied');
      }
    });

    it('is not found if there is no such agent', async () => {
      expect((await failureOf(() => explain({ agentId: 'agt_none' }))).code).to.equal('not_found');
    });
  });

  describe('read', () => {
    it('is its text, its title, its digest and its reading', async () => {
      const { screen: shown, ...rest } = await read(id);
      expect(rest).to.deep.equal({
        screenDigest: 'd1',
        reading: waitingReading,
        state: 'AGENT_STATE_THINKING',
        readAt: '2026-11-21T09:05:00.000Z',
      });
      expect(shown).to.deep.include({
        text: 'Do you want to proceed?\n❯ 1. Yes\n  2. No',
        title: '✳ Claude Code',
        width: 80,
        height: 24,
        cursorColumn: 1,
        cursorRow: 2,
        command: 'claude',
      });
      expect((await read(id, 'person', { attributes: true })).screen?.text).to.equal(screen.text);
    });

    it('is for a person, an orchestrator, and a parent of that child', async () => {
      const child = (await fixture.create({ parentAgentId: id })).id;
      await fixture.host.bringUp(child);
      const orchestrator = await fixture.create({ role: 'AGENT_ROLE_ORCHESTRATOR', provisionEnabled: false });
      await read(child, { agentId: id });
      await read(child, { agentId: orchestrator.id });
      for (const as of [child, (await fixture.create({ provisionEnabled: false })).id]) {
        expect((await failureOf(() => read(id, { agentId: as }))).code).to.equal('permission_denied');
      }
      expect((await failureOf(() => read(id, { agentId: id }))).code).to.equal('permission_denied');
    });

    it('is refused without a pane, or if the host is offline', async () => {
      const fresh = await fixture.create();
      expect((await failureOf(() => read(fresh.id))).code).to.equal('failed_precondition');
      await fixture.host.fallSilent();
      expect((await failureOf(() => read(id))).code).to.equal('unavailable');
    });
  });

  describe('watched', () => {
    const watch = (cursor = '', as: As = 'person') =>
      fixture.call<z.output<typeof watchPane.response>>('WatchPane', { agentId: id, cursor }, as);

    it('returns its screen with colours, and nothing more while that is unchanged', async () => {
      const { screen: shown, cursor, ...rest } = await watch();
      expect(shown?.text).to.equal(screen.text);
      expect(rest).to.deep.equal({
        screenDigest: 'd1',
        reading: waitingReading,
        readAt: '2026-11-21T09:05:00.000Z',
      });
      expect(await watch(cursor)).to.deep.equal({ cursor });
    });

    it('is for people, and refused without a pane', async () => {
      expect((await failureOf(() => watch('', { agentId: id }))).code).to.equal('permission_denied');
      fixture.host.pane = undefined;
      expect((await failureOf(() => watch())).code).to.equal('failed_precondition');
    });
  });

  describe('typed into', () => {
    const type = (inputs: object[], as: As = 'person') => fixture.call('TypeInPane', { agentId: id, inputs }, as);

    it('accepts a person’s input while they hold the agent, and only then', async () => {
      const refusal = await failureOf(() => type([{ text: 'y' }]));
      expect(refusal.code).to.equal('failed_precondition');
      expect(refusal.message).to.match(/hold_agent/);
      await fixture.host.tell(id, { type: 'READING', reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
      await fixture.call('HoldAgent', { agentId: id });
      const inputs = [{ text: 'y' }, { key: 'Enter' }, { paste: 'two\nlines' }];
      await type(inputs);
      expect(fixture.host.typed).to.deep.equal([['type', { agentId: id, inputs }]]);
      expect((await failureOf(() => type(inputs, { agentId: id }))).code).to.equal('permission_denied');
    });

    it('accepts one item at a time', async () => {
      for (const odd of [{}, { text: 'y', key: 'Enter' }]) {
        const { code, message } = await failureOf(() => type([{ text: 'x' }, odd]));
        expect(code).to.equal('invalid_argument');
        expect(message).to.match(/inputs\[1\]/);
      }
    });
  });
});
