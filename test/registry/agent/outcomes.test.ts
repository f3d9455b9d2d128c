import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { ViewedEnding } from '#contract/agent/agent-view.ts';
import type { Fact } from '#contract/fact/fact.ts';
import type { AwaitedAgent } from '#contract/operations/wait.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { failureOf } from '#test/support/failure.ts';
import { besideStore } from '#test/support/soak.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Waited {
  readonly agents: readonly AwaitedAgent[];
  readonly cursor: string;
}

const reads = (state: 'IDLE' | 'THINKING' | 'WAITING' | 'UNCERTAIN', more: object = {}) =>
  ({ type: 'READING', reading: { state: `AGENT_STATE_${state}`, reason: '', ...more } }) as const;
const gone = (ending: ViewedEnding, reason = 'the CLI ended') =>
  ({ type: 'PANE_GONE', reason, briefed: true, at: 1, lost: ending.kind === 'rebooted', ending }) as const;
const outcomes = ['agent.finished', 'agent.ended', 'agent.waits', 'agent.failed'];

describe('the outcomes of agents', () => {
  let fixture: RegistryFixture;
  let id: string;

  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());
  beforeEach(async () => {
    ({ id } = await fixture.create({ provisionEnabled: false }));
    await fixture.host.bringUp(id);
  });

  const tell = async (agentId: string, ...events: AgentEvent[]): Promise<void> => {
    for (const event of events) await fixture.host.tell(agentId, event);
  };
  const agent = async () => (await fixture.call<{ agent: { agent: Agent } }>('GetAgent', { agentId: id })).agent.agent;
  const facts = async (): Promise<readonly (Fact & { readonly said: Record<string, unknown> })[]> => {
    const listed = await fixture.call<{ facts: Fact[] }>('ListFacts', { subjectId: id });
    return listed.facts
      .filter(({ kind }) => outcomes.includes(kind ?? ''))
      .map((fact) => ({ ...fact, said: JSON.parse(fact.detail ?? '{}') as Record<string, unknown> }))
      .toReversed();
  };
  const wait = (request: object = {}) => fixture.call<Waited>('WaitForAgents', { agentIds: [id], ...request });
  const outcome = async (request: object = {}) => (await wait(request)).agents[0]?.outcome;

  describe('a turn', () => {
    it('begins with the briefing and ends at rest, also if no work was seen', async () => {
      await tell(id, reads('THINKING'), reads('IDLE'));
      expect((await agent()).turns).to.equal(1);
      await tell(id, { type: 'PROMPTED', reading: { state: 'AGENT_STATE_IDLE', reason: '' } });
      expect((await agent()).turns).to.equal(2);
      expect((await facts()).map(({ kind, said }) => [kind, said['turn']])).to.deep.equal([
        ['agent.finished', 1],
        ['agent.finished', 2],
      ]);
    });

    it('continues while the agent asks', async () => {
      await tell(id, reads('THINKING'), reads('WAITING'), reads('THINKING'), reads('IDLE'));
      expect((await facts()).map(({ kind }) => kind)).to.deep.equal(['agent.waits', 'agent.finished']);
    });

    it('is not finished by a restored CLI that comes to rest', async () => {
      await tell(id, reads('THINKING'), gone({ kind: 'exited', status: 0 }));
      await fixture.call('RestoreAgent', { agentId: id });
      // A shell and some CLIs look as if they worked while they start.
      await tell(id, { type: 'WINDOW_OPENED', paneId: '%9' }, reads('THINKING'), reads('IDLE'));
      expect((await facts()).map(({ kind }) => kind)).to.deep.equal(['agent.ended']);
      expect(await outcome({ until: ['AGENT_OUTCOME_FINISHED'] })).to.equal(undefined);
      await tell(id, reads('THINKING'), reads('IDLE'));
      expect((await facts()).map(({ kind }) => kind)).to.deep.equal(['agent.ended', 'agent.finished']);
    });
  });

  describe('the end of a CLI', () => {
    const endings: readonly [ViewedEnding, object][] = [
      [
        { kind: 'exited', status: 3 },
        { kind: 'AGENT_ENDING_KIND_EXITED', exitStatus: 3 },
      ],
      [{ kind: 'exited', status: 0 }, { kind: 'AGENT_ENDING_KIND_EXITED' }],
      [
        { kind: 'killed', signal: 'SIGKILL' },
        { kind: 'AGENT_ENDING_KIND_KILLED', signal: 'SIGKILL' },
      ],
      [
        { kind: 'limit', exceeded: '512 MiB of memory' },
        { kind: 'AGENT_ENDING_KIND_LIMIT', exceeded: '512 MiB of memory' },
      ],
      [{ kind: 'window-closed' }, { kind: 'AGENT_ENDING_KIND_WINDOW_CLOSED' }],
      [{ kind: 'terminal-lost' }, { kind: 'AGENT_ENDING_KIND_TERMINAL_LOST' }],
      [{ kind: 'rebooted' }, { kind: 'AGENT_ENDING_KIND_REBOOTED' }],
    ];
    for (const [ending, shown] of endings) {
      it(`is never a finished turn: ${ending.kind} ${ending.status ?? ''}`, async () => {
        await tell(id, reads('THINKING'), gone(ending));
        expect((await agent()).ending).to.deep.equal(shown);
        const [fact, ...others] = await facts();
        expect(others).to.deep.equal([]);
        expect(fact?.kind).to.equal('agent.ended');
        expect(fact?.said).to.include(ending);
        const waited = await wait({ until: ['AGENT_OUTCOME_FINISHED'] });
        expect(waited.agents[0]).to.deep.include({ outcome: 'AGENT_OUTCOME_ENDED', ending: shown });
      });
    }

    it('leaves a shell in its place, and is reported once', async () => {
      await tell(id, reads('THINKING'), reads('UNCERTAIN', { exited: true, reason: 'exited to a shell' }));
      expect(await agent()).to.deep.include({ alive: true, ending: { kind: 'AGENT_ENDING_KIND_SHELL' } });
      await tell(id, gone({ kind: 'window-closed' }));
      expect((await facts()).map(({ kind }) => kind)).to.deep.equal(['agent.ended']);
    });

    it('right after its briefing is an end, too', async () => {
      const { id: other } = await fixture.create({ provisionEnabled: false });
      await tell(other, { type: 'WINDOW_OPENED', paneId: '%7' }, gone({ kind: 'killed' }));
      const { agents } = await wait({ agentIds: [other] });
      expect(agents[0]?.outcome).to.equal('AGENT_OUTCOME_ENDED');
    });

    it('is forgotten once the agent has another window', async () => {
      await tell(id, gone({ kind: 'killed' }));
      await fixture.call('RestoreAgent', { agentId: id });
      await tell(id, { type: 'WINDOW_OPENED', paneId: '%9' });
      expect(await agent()).not.to.have.property('ending');
    });
  });

  describe('a wait', () => {
    it('ends with what was so before it began', async () => {
      await tell(id, reads('THINKING'), reads('IDLE'));
      expect((await wait()).agents).to.deep.equal([
        { agentId: id, name: (await agent()).name, outcome: 'AGENT_OUTCOME_FINISHED', turn: 1 },
      ]);
      expect(await outcome({ afterTurn: 1 })).to.equal(undefined);
    });

    it('counts what happened since its first call, though it is over', async () => {
      await tell(id, reads('THINKING'));
      const { agents, cursor } = await wait({ until: ['AGENT_OUTCOME_FINISHED'] });
      expect(agents).to.deep.equal([]);
      await tell(id, reads('IDLE'), reads('THINKING'));
      expect(await outcome({ until: ['AGENT_OUTCOME_FINISHED'] }), 'without the cursor').to.equal(undefined);
      await fixture.restart();
      expect(await outcome({ until: ['AGENT_OUTCOME_FINISHED'], cursor })).to.equal('AGENT_OUTCOME_FINISHED');
    });

    it('says so if facts since its first call are no longer kept', async () => {
      const asked = { agentIds: [id], until: ['AGENT_OUTCOME_FINISHED'] };
      const { cursor } = await fixture.call<Waited>('WaitForAgents', asked);
      await tell(id, reads('IDLE'));
      const wait = () => fixture.call<Waited & { factsForgotten?: boolean }>('WaitForAgents', { ...asked, cursor });
      expect((await wait()).factsForgotten ?? false).to.equal(false);
      const limits = { before: fixture.clock.now() + 1, keep: 1, limit: 10_000 };
      await fixture.store.write(({ facts: kept }) => kept.prune(limits));
      expect(await wait()).to.include({ factsForgotten: true });
    });

    it('is for all agents, unless for any', async () => {
      const { id: other } = await fixture.create({ provisionEnabled: false });
      await fixture.host.bringUp(other);
      await tell(id, reads('WAITING'));
      await tell(other, reads('THINKING'));
      const agentIds = [id, other];
      expect((await wait({ agentIds })).agents).to.deep.equal([]);
      expect((await wait({ agentIds, any: true })).agents.map(({ agentId }) => agentId)).to.deep.equal([id]);
      await tell(other, reads('IDLE'));
      expect((await wait({ agentIds })).agents.map(({ outcome }) => outcome)).to.have.members([
        'AGENT_OUTCOME_WAITS',
        'AGENT_OUTCOME_FINISHED',
      ]);
    });

    it('for what an agent launched does not grow with later launches', async () => {
      const lead = { agentId: id };
      const child = await fixture.create({ parentAgentId: id, workflowId: (await agent()).workflowId ?? '' }, lead);
      await fixture.host.bringUp(child.id);
      await tell(child.id, reads('THINKING'));
      const request = { agentIds: [], launchedBy: id };
      const { cursor } = await wait(request);
      await fixture.create({ parentAgentId: id, workflowId: (await agent()).workflowId ?? '' }, lead);
      await tell(child.id, reads('IDLE'));
      expect((await wait({ ...request, cursor })).agents.map(({ agentId }) => agentId)).to.deep.equal([child.id]);
    });

    it('ends when an agent fails, or is archived or deleted', async () => {
      const { id: broken } = await fixture.create({ provisionEnabled: false });
      await tell(broken, { type: 'STEP_FAILED', step: 'opening', reason: 'no such program' });
      expect(await outcome({ agentIds: [broken] })).to.equal('AGENT_OUTCOME_FAILED');
      await fixture.call('ArchiveAgent', { agentId: id });
      expect(await outcome()).to.equal('AGENT_OUTCOME_GONE');
    });

    it('names whom it is for', async () => {
      const codes = await Promise.all(
        [
          { agentIds: [] },
          { launchedBy: id },
          { agentIds: ['agt_none'] },
          { agentIds: [], launchedBy: 'agt_none' },
        ].map(async (request) => (await failureOf(() => wait(request))).reason),
      );
      expect(codes).to.deep.equal(['INVALID_FIELD', 'INVALID_FIELD', 'AGENT_NOT_FOUND', 'AGENT_NOT_FOUND']);
    });
  });

  describe('a result', () => {
    const report = (result: string, of = id) => fixture.call('ReportResult', { result }, { agentId: of });
    const read = (as: 'person' | { agentId: string } = 'person') =>
      fixture.call<{ result: Record<string, unknown> }>('GetResult', { agentId: id }, as);

    it('is the last one reported, with its turn, on the row and in a wait', async () => {
      expect((await failureOf(() => read())).reason).to.equal('NO_RESULT');
      await report('first');
      await tell(id, reads('THINKING'), reads('IDLE'));
      await report('three tests pass');
      const reportedAt = new Date(fixture.clock.now()).toISOString();
      expect((await read()).result).to.deep.equal({ agentId: id, text: 'three tests pass', turn: 2, reportedAt });
      expect((await agent()).resultAt).to.equal(reportedAt);
      expect((await wait()).agents[0]?.hasResult).to.equal(true);
    });

    it('is masked by its host for the secrets that the agent was given, before it is checked and stored', async () => {
      fixture.host.redacted = (text) => text.replaceAll('hunter22', '********');
      await report('the password is hunter22');
      fixture.host.redacted = (text) => text;
      const { result } = await fixture.call<{ result: { text: string } }>('GetResult', { agentId: id });
      expect(result.text).to.equal('the password is ********');
    });

    it('is read by whoever launched the agent, and by no other agent', async () => {
      const child = await fixture.create({ parentAgentId: id, workflowId: (await agent()).workflowId ?? '' });
      await report('done');
      await report('child done', child.id);
      expect((await failureOf(() => read({ agentId: child.id }))).reason).to.equal('NOT_YOURS');
      const { result } = await fixture.call<{ result: object }>('GetResult', { agentId: child.id }, { agentId: id });
      expect(result).to.include({ text: 'child done' });
    });

    it('must fit the schema of the launch', async () => {
      const schema = {
        type: 'object',
        required: ['passed'],
        properties: { passed: { type: 'integer' }, notes: { enum: ['fast', 'slow'] } },
        additionalProperties: false,
      };
      ({ id } = await fixture.create({ provisionEnabled: false, resultSchema: JSON.stringify(schema) }));
      expect((await agent()).prompt).to.include('"required":["passed"]');
      const refused = await failureOf(() => report('{"passed":"many","notes":"odd","more":1}'));
      expect(refused.reason).to.equal('RESULT_UNFITTING');
      expect(refused.violations.map(({ description }) => description)).to.have.members([
        'the whole must NOT have additional properties: "more"',
        '/passed must be integer',
        '/notes must be equal to one of the allowed values: ["fast","slow"]',
      ]);
      expect((await failureOf(() => report('passed: 3'))).message).to.include('which is not JSON');
      expect((await failureOf(() => read())).reason, 'nothing was kept').to.equal('NO_RESULT');
      await report('{"passed":3}');
      expect((await read()).result).to.include({ text: '{"passed":3}', fitsSchema: true });
    });

    besideStore('cannot be checked against what is no schema, refers elsewhere or takes for ever', async () => {
      const create = (resultSchema: string) => fixture.create({ provisionEnabled: false, resultSchema });
      const asynchronous = '{"$async":true,"type":"string"}';
      for (const schema of ['{', '[]', '{"type":"nothing"}', '{"$ref":"http://example.com/schema"}', asynchronous])
        expect((await failureOf(() => create(schema))).reason, schema).to.equal('INVALID_FIELD');
      ({ id } = await create('{"type":"string","pattern":"^(a+)+$"}'));
      expect((await failureOf(() => report(JSON.stringify(`${'a'.repeat(60)}!`)))).message).to.include('too long');
      ({ id } = await create('{"items":{"$ref":"#"}}'));
      const deep = await failureOf(() => report('['.repeat(24_000) + ']'.repeat(24_000)));
      expect(deep.reason).to.equal('RESULT_UNFITTING');
      const many = Array.from({ length: 1_200 }, (_, at) => `choice ${at}`);
      ({ id } = await create(JSON.stringify({ items: { enum: many } })));
      const long = await failureOf(() => report(JSON.stringify(Array.from({ length: 20 }, () => 1))));
      expect(long.reason).to.equal('RESULT_UNFITTING');
      expect(long.message.length, 'what is listed of it').to.be.below(5_000);
    });

    besideStore('keeps nobody waiting while it is checked, and takes no more memory than it may', async () => {
      const either = (at: number) => ({ anyOf: [{ $ref: `#/$defs/d${at}` }, { $ref: `#/$defs/d${at}` }] });
      const doubling = Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        at === 39 ? { type: 'string' } : either(at + 1),
      ]);
      const resultSchema = JSON.stringify({ $defs: Object.fromEntries(doubling), $ref: '#/$defs/d0' });
      ({ id } = await fixture.create({ provisionEnabled: false, resultSchema }));
      let isChecked = false;
      const slow = failureOf(() => report('1')).finally(() => {
        isChecked = true;
      });
      let answered = 0;
      while (!isChecked) {
        await fixture.call('ListAgents');
        answered += 1;
      }
      expect(answered).to.be.greaterThan(5);
      expect((await slow).message).to.include('too long');
      ({ id } = await fixture.create({ provisionEnabled: false, resultSchema: '{"type":"integer"}' }));
      await report('1');
    });

    it('has at most so many characters, however they are encoded, each as it was given', async () => {
      const most = '\u{1f600}'.repeat(50_000);
      await report(most);
      expect((await read()).result).to.include({ text: most });
      expect((await failureOf(() => report(`${most}x`))).message).to.include('50001 characters');
      for (const text of ['\u202eab\u200b', 'a\u0000b']) {
        await report(text);
        expect((await read()).result).to.include({ text });
      }
      await report('a\ud800b');
      expect((await read()).result, 'what is no character').to.include({ text: 'a\ufffdb' });
    });

    it('is gone with the agent', async () => {
      await report('done');
      await tell(id, gone({ kind: 'exited', status: 0 }));
      await fixture.call('DeleteAgent', { agentId: id, force: true });
      await tell(id, { type: 'PANE_CLOSED' });
      expect((await failureOf(() => read())).reason).to.equal('AGENT_NOT_FOUND');
      expect(await fixture.store.read(({ results }) => results.find(id))).to.equal(undefined);
    });
  });
});
