import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { Host } from '#contract/host/host.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

interface Deleted {
  readonly agent: Agent;
  readonly givenUp?: readonly string[];
}

describe('agents that are abandoned with their host', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const hosts = async () => (await fixture.call<{ hosts: Host[] }>('ListHosts', {})).hosts;
  const lose = async () => {
    fixture.clock.pass(31_000);
    await moment('the host is lost', async () => (await hosts())[0]?.state === 'HOST_STATE_LOST');
  };
  const abandon = (agentId: string, more: object = {}) =>
    fixture.call<Deleted>('DeleteAgent', { agentId, abandon: true, ...more });
  const works = (token: string) =>
    fixture.call('ListAgents', {}, { token }).then(
      () => true,
      () => false,
    );

  it('are deleted at once with their children, and the losses are listed', async () => {
    const { id } = await fixture.create({ title: 'lead' });
    await fixture.host.bringUp(id);
    const child = await fixture.create({ parentAgentId: id });
    const token = await fixture.tokenFor(id);
    await fixture.call('SendMail', { agentId: id, subject: 'hello', body: 'there' });
    await lose();
    const { agent, givenUp } = await abandon(id);
    expect(agent.alive).to.equal(undefined);
    expect(agent.stateReason).to.match(/^abandoned with its host at .*may still run/);
    const told = givenUp?.join('\n') ?? '';
    expect(told).to.include('the terminal of "lead", which may still run on hst_1.example');
    expect(told).to.include(`its worktree "/trees/${id}" on hst_1.example, on branch "muster/${id}"`);
    expect(told).to.include('uncommitted, unpushed and unmerged changes');
    expect(told).to.include('1 mail that "lead" has not taken');
    for (const agentId of [id, child.id]) {
      expect((await failureOf(() => fixture.call('GetAgent', { agentId }))).code).to.equal('not_found');
    }
    expect(await works(token)).to.equal(false);
    const { facts } = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', { subjectId: id });
    expect(facts.find(({ kind }) => kind === 'agent.gone')?.detail).to.equal('{"abandoned":true}');
  });

  it('are refused while the host sends beats, while a person holds them, and together with force', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(id);
    const there = await failureOf(() => abandon(id));
    expect(there.code).to.equal('failed_precondition');
    expect(there.message).to.include('hst_1.example').and.to.include('update_host sets after how much silence');
    expect((await failureOf(() => abandon(id, { force: true }))).code).to.equal('invalid_argument');
    await fixture.call('HoldAgent', { agentId: id });
    await lose();
    expect((await failureOf(() => abandon(id))).message).to.include('a person has held it');
    await fixture.call('UnholdAgent', { agentId: id });
    await abandon(id);
  });

  for (const [what, prepare] of [
    ['archived', (id: string) => fixture.call('ArchiveAgent', { agentId: id })],
    ['being deleted', (id: string) => fixture.call('DeleteAgent', { agentId: id })],
    ['being set up', () => undefined],
  ] as const) {
    it(`may be ${what}, and none of their pending effects runs later`, async () => {
      const { id } = await fixture.create();
      await prepare(id);
      await lose();
      await abandon(id);
      await fixture.host.beat();
      expect((await fixture.host.registry.load(id)).effects).to.deep.equal([]);
      expect((await fixture.host.registry.changes('hst_1', '')).agents).to.deep.equal([]);
    });
  }

  it('keep their terminals when the host returns, and are not adopted again', async () => {
    const [left, deleted] = [
      await fixture.create({ provisionEnabled: false }),
      await fixture.create({ provisionEnabled: false }),
    ];
    for (const { id } of [left, deleted]) await fixture.host.bringUp(id);
    await fixture.call('DeleteAgent', { agentId: deleted.id });
    await fixture.host.tell(deleted.id, { type: 'PANE_CLOSED' });
    const { cursor } = await fixture.host.registry.changes('hst_1', '');
    await lose();
    await abandon(left.id);
    await fixture.host.beat();
    const said = await fixture.host.registry.families([left.id, deleted.id]);
    expect(said).to.deep.include({ left: [], gone: [deleted.id] });
    // A host that was only cut off hears that it is gone.
    const { agents } = await fixture.host.registry.changes('hst_1', cursor);
    expect(agents.map(({ id, snapshot }) => [id, snapshot.value])).to.deep.include([left.id, 'gone']);
    const token = await failureOf(() => fixture.host.registry.token(left.id, 1, 'window'));
    expect(token.code).to.equal('not_found');
  });

  it('leave a host that can be forgotten, which is new when it returns with its own key', async () => {
    const { id } = await fixture.create({ provisionEnabled: false });
    await fixture.call('ArchiveAgent', { agentId: id });
    const forget = () => fixture.call<{ host: Host }>('ForgetHost', { hostId: 'hst_1' });
    expect((await failureOf(forget)).message).to.include('it sent a beat at');
    await lose();
    const standing = await failureOf(forget);
    expect(standing.code).to.equal('failed_precondition');
    expect(standing.message).to.include('1 agent is on it, archived ones too').and.to.include(id);
    await abandon(id);
    await forget();
    await forget();
    expect(await hosts()).to.deep.equal([]);
    const { parts } = await fixture.call<{ parts: { name: string }[] }>('RunDoctor', {});
    expect(parts.map(({ name }) => name)).to.deep.equal(['registry']);
    await fixture.restart();
    expect(await hosts()).to.deep.equal([]);
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId: 'hst_1' });
    expect(facts[0]?.kind).to.equal('host.forgotten');
    await moment('it comes again', () =>
      fixture.host.beat().then(
        () => true,
        () => false,
      ),
    );
    expect((await hosts())[0]).to.include({ id: 'hst_1', state: 'HOST_STATE_ONLINE' });
  });
});
