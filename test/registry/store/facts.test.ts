import { expect } from 'chai';
import type { FactHint } from '#bus/facts.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import type { Fact } from '#contract/fact/fact.ts';
import { machineNames } from '#machines/chart/definitions.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Watched {
  readonly facts: Fact[];
  readonly cursor: string;
}

describe('facts', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const list = (request: object = {}) => fixture.call<{ facts: Fact[]; nextPageToken?: string }>('ListFacts', request);
  const watch = (request: object = {}) => fixture.call<Watched>('WatchFacts', request);
  /** The places of all facts, oldest first. */
  const places = async () => (await list()).facts.map(({ seq }) => seq).toReversed();

  it('are limited to kinds and prefixes that exist', async () => {
    const kindsOf = async (kinds: readonly string[]) => new Set((await list({ kinds })).facts.map(({ kind }) => kind));
    await fixture.create();
    expect(await kindsOf(['agent.created'])).to.deep.equal(new Set(['agent.created']));
    for (const kind of await kindsOf(['agent.'])) expect(kind).to.match(/^agent\./);
    const refusal = await failureOf(() => list({ kinds: ['agent.nothing'] }));
    expect(refusal).to.include({ code: 'invalid_argument' });
    expect(refusal.message).to.include('kinds has "agent.nothing"');
  });

  it('are listed newest first, in pages, for one subject or all', async () => {
    const [one, two] = [await fixture.create(), await fixture.create()];
    for (const mark of ['a', 'b', 'c']) await fixture.call('MarkAgent', { agentId: one.id, mark });
    const { facts } = await list();
    const places = facts.map(({ seq }) => Number(seq));
    expect(places).to.have.length(7);
    expect(places).to.deep.equal(places.toSorted((a, b) => b - a));
    expect(facts.at(-1)).to.deep.equal({
      seq: String(places.at(-1)),
      kind: 'host.seen',
      subjectId: 'hst_1',
      at: '2026-11-21T09:00:00.000Z',
      detail: '{"name":"hst_1.example"}',
    });
    const first = await list({ subjectId: one.id, pageSize: 3 });
    const rest = await list({ subjectId: one.id, pageSize: 3, cursor: first.nextPageToken });
    expect([...first.facts, ...rest.facts].map(({ kind }) => kind)).to.deep.equal([
      'agent.changed',
      'agent.changed',
      'agent.changed',
      'agent.created',
    ]);
    expect(rest.nextPageToken).to.equal(undefined);
    const stolen = () => list({ subjectId: two.id, cursor: first.nextPageToken });
    expect(await failureOf(stolen)).to.have.property('code', 'invalid_argument');
    expect(await failureOf(() => list({ pageSize: -1 }))).to.have.property('code', 'invalid_argument');
  });

  it('are followed from now, from the oldest, and from any cursor, over a restart', async () => {
    const now = await watch();
    expect(now.facts).to.deep.equal([]);
    expect(now.cursor.split('-')[0]).to.equal((await places()).at(-1));
    const { id } = await fixture.create();
    const next = await watch({ cursor: now.cursor });
    expect(next.facts.map(({ kind, subjectId }) => [kind, subjectId])).to.deep.equal([['agent.created', id]]);
    await fixture.restart();
    expect((await watch({ cursor: next.cursor })).facts).to.deep.equal([]);
    const ever = await watch({ cursor: '0' });
    expect(ever.facts.map(({ seq }) => seq))
      .to.deep.equal(await places())
      .and.to.have.length(3);
  });

  it('are followed for one subject without reading the others again', async () => {
    const { id } = await fixture.create();
    const mine = await watch({ cursor: '0', subjectId: id });
    expect(mine.facts).to.have.length(1);
    await fixture.workflow();
    const last = await watch({ cursor: mine.cursor, subjectId: id });
    expect(last.facts).to.deep.equal([]);
    expect(last.cursor.split('-')[0]).to.equal((await places()).at(-1));
  });

  for (const cursor of ['x', '-1', '01', '999999999999999999', '99999999999999999999']) {
    it(`are not followed from ${cursor}`, async () => {
      expect(await failureOf(() => watch({ cursor }))).to.have.property('code', 'invalid_argument');
    });
  }

  it('are published once each as hints, in the order of the log', async () => {
    const heard: FactHint[] = [];
    fixture.gateway.subscribe('fact.>', (hint) => void heard.push(hint as FactHint));
    // A call makes the round that the subscription must have made.
    await fixture.call('ListAgents');
    const before = Number((await places()).at(-1));
    const made = await Promise.all(Array.from({ length: 20 }, () => fixture.create()));
    await fixture.call('MarkAgent', { agentId: made[3]?.id, mark: 'x' });
    // What was published before the call may still have been on its way.
    const own = () => heard.filter(({ seq }) => Number(seq) > before);
    await moment('all hints are heard', () => own().length >= 21);
    const logged = await places();
    expect(own().map(({ seq }) => seq)).to.deep.equal(logged.slice(-21));
    expect(heard.at(-1)).to.deep.equal({ kind: 'agent.changed', seq: logged.at(-1), subjectId: made[3]?.id });
  });
});

describe('old facts', () => {
  const day = 86_400_000;
  let fixture: RegistryFixture;
  let agentsBefore: string;
  // The fixture itself writes two facts, and the young ones are not the last: a host is missed once days have passed.
  const [old, young] = [1_200, 4];
  /** The places of all facts before any was forgotten, and of the oldest that is kept. */
  let places: readonly string[];
  let oldest: string;

  before(async () => {
    fixture = await registryFixture({ factsKept: { days: 30, count: 3 } });
    agentsBefore = (await fixture.call<{ cursor: string }>('WatchAgents')).cursor;
    await write(old);
    fixture.clock.pass(31 * day);
    await write(young);
    places = (await fixture.store.read(({ facts }) => facts.after(0n, 5_000))).map(({ seq }) => String(seq));
    oldest = places[2 + old] ?? '';
    await fixture.restart();
    await moment('the old ones are forgotten', async () => (await first()) === oldest);
  });
  after(() => fixture.close());

  const write = (count: number) =>
    fixture.store.write(({ facts }) =>
      facts.append(Array.from({ length: count }, () => ({ kind: 'agent.changed', subjectId: 'agt_x', detail: {} }))),
    );
  const first = async () => {
    const { facts } = await fixture.call<{ facts: Fact[] }>('ListFacts', { pageSize: 200 });
    return facts.at(-1)?.seq;
  };
  const watch = (cursor: string) => fixture.call<Watched>('WatchFacts', { cursor });

  it('are pruned at a start, in batches, and young ones are kept', async () => {
    expect((await watch('0')).facts[0]).to.include({ seq: oldest, subjectId: 'agt_x' });
  });

  it('are reported as forgotten only to watches from before them', async () => {
    for (const cursor of [places[0] ?? '', places[old] ?? '']) {
      const { code, message } = await failureOf(() => watch(cursor));
      expect(code).to.equal('out_of_range');
      expect(message).to.contain(`begins with ${oldest}`).and.to.contain('"0"');
    }
    expect((await watch(places[1 + old] ?? '')).facts[0]).to.include({ seq: oldest });
  });

  it('cost a watch of agents from before them no rows', async () => {
    fixture.host.harnesses = ['shell'];
    await fixture.host.beat();
    const { id } = await fixture.create({ harness: 'shell' });
    const { agents } = await fixture.call<{ agents: AgentRow[] }>('WatchAgents', { cursor: agentsBefore });
    expect(agents.map(({ agent }) => agent?.id)).to.deep.equal([id]);
  });
});

describe('get_machine', () => {
  let fixture: RegistryFixture;

  before(async () => {
    fixture = await registryFixture();
  });
  after(() => fixture.close());

  for (const name of machineNames) {
    it(`draws ${name}`, async () => {
      const machine = await fixture.call<{ mermaid: string; transitions: object[] }>('GetMachine', { name });
      expect(machine.mermaid).to.match(/^stateDiagram-v2\n/);
      expect(machine.transitions.length).to.be.greaterThan(1);
    });
  }

  for (const name of ['nothing', 'constructor', '__proto__']) {
    it(`finds no machine ${name}`, async () => {
      expect(await failureOf(() => fixture.call('GetMachine', { name }))).to.have.property('code', 'not_found');
    });
  }
});
