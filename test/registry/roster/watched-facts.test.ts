import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Fact } from '#contract/fact/fact.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type As, type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Answer {
  readonly agents: AgentRow[];
  readonly facts?: Fact[];
  readonly factsForgotten?: boolean;
  readonly cursor: string;
}

describe('facts beside watched agents', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture({ factsKept: { days: 30, count: 3 } });
  });
  afterEach(() => fixture.close());

  const watch = (factKinds: readonly string[], cursor = '', as: As = 'person') =>
    fixture.call<Answer>('WatchAgents', { cursor, factKinds }, as);
  const told = ({ facts = [] }: Answer) => facts.map(({ kind, subjectId }) => `${kind} ${subjectId}`);
  const write = (count: number, kind: string) =>
    fixture.store.write(({ facts }) =>
      facts.append(Array.from({ length: count }, (_, at) => ({ kind, subjectId: String(at), detail: {} }))),
    );

  it('have the requested kinds, in order, once, from the cursor on, over a restart', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    const kinds = ['mail.', 'agent.changed'];
    const start = await watch(kinds);
    expect(told(start)).to.deep.equal([]);
    await fixture.call('SendMail', { agentId: id, body: 'Look here' });
    await write(1, 'mailing.other');
    await fixture.restart();
    const first = await watch(kinds, start.cursor);
    expect(told(first)).to.deep.equal([`mail.sent ${id}`, `agent.changed ${id}`]);
    expect(first.agents.map(({ agent }) => agent?.id)).to.deep.equal([id]);
    expect(JSON.parse(first.facts?.[0]?.detail ?? '')).to.be.an('object');
    expect(await watch(kinds, first.cursor)).to.deep.include({ agents: [], facts: [] });
    expect(await watch([], start.cursor)).to.not.have.property('facts');
  });

  it('begin at the state of a cursor of rows alone', async () => {
    const { cursor } = await watch([]);
    await write(1, 'schedule.fired');
    expect(told(await watch(['schedule.fired'], cursor))).to.deep.equal(['schedule.fired 0']);
  });

  it('come in pages without gaps, even between other facts', async () => {
    let { cursor } = await watch(['schedule.']);
    await write(150, 'schedule.fired');
    await write(500, 'agent.changed');
    await write(150, 'schedule.run-moved');
    const all: string[] = [];
    for (;;) {
      const answer = await watch(['schedule.'], cursor);
      if (told(answer).length === 0) break;
      all.push(...told(answer));
      cursor = answer.cursor;
    }
    expect(all).to.have.length(300);
    expect(new Set(all).size).to.equal(300);
  });

  it('are marked as forgotten if they were pruned, and rows come anyway', async () => {
    const { cursor } = await watch(['mail.']);
    fixture.host.harnesses = ['shell'];
    const { id } = await fixture.create({ provisionEnabled: false });
    await write(20, 'mail.sent');
    fixture.clock.pass(31 * 86_400_000);
    await write(5, 'mail.sent');
    await fixture.restart();
    await moment('the old ones are forgotten', async () => (await watch(['mail.'], cursor)).factsForgotten === true);
    const answer = await watch(['mail.'], cursor);
    expect(told(answer)).to.deep.equal([]);
    expect(answer.agents.map(({ agent }) => agent?.id)).to.include(id);
    expect(await watch(['mail.'], answer.cursor)).to.not.have.property('factsForgotten');
  });

  it('are only for people, and of existing kinds', async () => {
    const roles = ['AGENT_ROLE_IMPLEMENTER', 'AGENT_ROLE_ORCHESTRATOR'] as const;
    for (const role of roles) {
      const { id: agentId } = await fixture.create({ provisionEnabled: false, role });
      const refused = await failureOf(() => watch(['agent.'], '', { agentId }));
      expect(refused).to.include({ code: 'permission_denied' });
      expect((await watch([], '', { agentId })).agents).to.not.deep.equal([]);
      const { cursor } = await watch(['agent.']);
      expect(await watch([], cursor, { agentId })).to.not.have.property('facts');
    }
    for (const kind of ['mail', 'mail.se', '', 'made.up']) {
      expect(await failureOf(() => watch([kind])), kind).to.include({ code: 'invalid_argument' });
    }
  });

  describe('of scripts', () => {
    let agentId: string;
    let cursor: string;
    beforeEach(async () => {
      agentId = (await fixture.create({ provisionEnabled: false })).id;
      await fixture.host.bringUp(agentId);
      cursor = (await watch(['run.'])).cursor;
    });
    const run = (note: object = {}) =>
      fixture.host.registry.run({ agentId, epoch: 1, effect: `${agentId}/9/0`, script: 'RUN_SCRIPT_ON_IDLE', ...note });
    const wrote = (output: string) => run({ output: { output, cut: false } });
    const next = async () => {
      const answer = await watch(['run.'], cursor);
      cursor = answer.cursor;
      return (answer.facts ?? []).map(({ kind, detail }) => [kind, (JSON.parse(detail ?? '') as { run: number }).run]);
    };

    it('report start, output, end and acknowledgement, without the output itself', async () => {
      await run();
      expect(await next()).to.deep.equal([['run.begun', 1]]);
      const hints: unknown[] = [];
      fixture.gateway.subscribe('fact.run.wrote', (hint) => void hints.push(hint));
      await fixture.gateway.roundTrip();
      await wrote('some');
      await wrote('some more');
      await moment('it to be hinted at', () => hints.length === 2);
      expect(await next(), 'twice is once').to.deep.equal([['run.wrote', 1]]);
      expect(await next()).to.deep.equal([]);
      await run({ output: { output: 'all', cut: false }, end: { failed: true, reason: 'ended with 1' } });
      expect(await next()).to.deep.equal([['run.ended', 1]]);
      await fixture.call('AcknowledgeRun', { id: 1 });
      await fixture.call('AcknowledgeRun', { id: 1 });
      expect(await next()).to.deep.equal([['run.looked-at', 1]]);
      const { facts } = await fixture.call<{ facts: Fact[] }>('ListFacts', { subjectId: agentId, pageSize: 200 });
      expect(facts.map(({ kind }) => kind))
        .to.include('run.ended')
        .and.not.include('run.wrote');
    });

    it('report a cancellation, and continue after a restart', async () => {
      await run();
      await wrote('some');
      await fixture.restart();
      expect(await next()).to.deep.equal([['run.begun', 1]]);
      await wrote('some more');
      expect(await next()).to.deep.equal([['run.wrote', 1]]);
      const { version, snapshot } = await fixture.store.read(({ journal }) => journal.load(agentId));
      const done = [`${agentId}/9/0`];
      const commit = { agentId, epoch: 1, version, snapshot, effects: [], facts: [], deadlines: {}, done };
      await fixture.host.registry.commit(commit);
      expect(await next()).to.deep.equal([['run.ended', 1]]);
    });
  });

  it('of hosts report a changed self-description, and no beat', async () => {
    const { cursor } = await watch(['host.']);
    await fixture.host.beat();
    fixture.host.harnesses = [...fixture.host.harnesses].reverse();
    await fixture.host.beat();
    expect(told(await watch(['host.'], cursor))).to.deep.equal([]);
    fixture.host.harnesses = ['shell'];
    await fixture.host.beat();
    expect(told(await watch(['host.'], cursor))).to.deep.equal(['host.changed hst_1']);
  });
});
