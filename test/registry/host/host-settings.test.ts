import { expect } from 'chai';
import type { Host } from '#contract/host/host.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

describe('the settings of a host', () => {
  let fixture: RegistryFixture;
  before(async () => {
    fixture = await registryFixture({
      hostDefaults: { patienceMs: 300_000, maxLaunches: 16, maxSetups: 4, minDiskFreeMib: 1_024 },
    });
  });
  after(() => fixture.close());

  const update = async (given: object) =>
    (await fixture.call<{ host: Host }>('UpdateHost', { hostId: 'hst_1', ...given })).host;
  const listed = async () => (await fixture.call<{ hosts: Host[] }>('ListHosts')).hosts[0];

  it('persist over beats and a restart, and reset to their defaults', async () => {
    expect(await listed()).to.deep.include({ labels: [], maxLaunches: 16, maxSetups: 4, patienceSeconds: 300 });
    expect(await listed()).not.to.have.property('maxAgents');
    await update({ setLabels: ['zone=home', 'gpu=yes'], maxAgents: 3, patienceSeconds: 14_400 });
    const set = { labels: ['gpu=yes', 'zone=home'], maxAgents: 3, maxLaunches: 16, patienceSeconds: 14_400 };
    expect(await update({ setLabels: ['gpu=yes'] })).to.deep.include(set);
    await fixture.host.beat();
    await fixture.restart();
    await fixture.host.beat();
    expect(await listed()).to.deep.include(set);
    const next = await update({
      removeLabels: ['zone', 'none'],
      setLabels: ['gpu='],
      clear: ['maxAgents', 'patienceSeconds'],
    });
    expect(next).to.deep.include({ labels: ['gpu='], patienceSeconds: 300 });
    expect(next).not.to.have.property('maxAgents');
    expect(await update({ clear: ['labels'] })).to.deep.include({ labels: [] });
    const { facts } = await fixture.call<{ facts: { kind: string; detail: string }[] }>('ListFacts', {
      subjectId: 'hst_1',
    });
    // What changes nothing is no fact.
    const sets = facts
      .filter(({ kind }) => kind === 'host.set')
      .map(({ detail }) => JSON.parse(detail).fields as string[]);
    expect(sets).to.deep.equal([
      ['labels'],
      ['labels', 'patienceMs', 'maxAgents'],
      ['labels', 'patienceMs', 'maxAgents'],
    ]);
  });

  it('are refused as a whole if any is invalid', async () => {
    const many = Array.from({ length: 64 }, (_, at) => `key${at + 10}=1`);
    await update({ setLabels: many });
    const refusals: (readonly [given: object, what: string])[] = [
      [{ setLabels: ['gpu'] }, 'key=value'],
      [{ setLabels: ['gpu=two words'] }, 'key=value'],
      [{ setLabels: ['-x=1'] }, 'key=value'],
      [{ setLabels: ['name=box'] }, 'has its name already'],
      [{ setLabels: ['key11=1', 'key11=2'] }, 'given twice'],
      [{ setLabels: ['key11=1'], removeLabels: ['key11'] }, 'leave one of them out'],
      [{ setLabels: ['more=1'] }, 'at most 64'],
      [{ patienceSeconds: 29 }, 'silent only after 30 s'],
      [{ patienceSeconds: 604_801 }, '604800'],
      [{ maxAgents: -1 }, 'maxAgents'],
      [{ clear: ['name'] }, 'clear'],
    ];
    for (const [given, what] of refusals) {
      const { code, message } = await failureOf(() => update({ maxSetups: 9, ...given }));
      expect(code, what).to.equal('invalid_argument');
      expect(message).to.include(what);
    }
    expect((await failureOf(() => update({ hostId: 'none' }))).code).to.equal('not_found');
    expect(await listed()).to.deep.include({ labels: many.toSorted(), maxSetups: 4, patienceSeconds: 300 });
  });

  it('are shown next to the reported protocol and clock offset', async () => {
    const load = {};
    const condition = { system: 'linux x64', musterVersion: '0.1.0', startedAt: 0, load, protocol: 1 };
    fixture.host.condition = { ...condition, clock: fixture.clock.now() - 3_600_000 };
    await fixture.host.beat();
    expect(await listed()).to.deep.include({ protocol: 1, clockOffsetMs: '-3600000', musterVersion: '0.1.0' });
    fixture.host.condition = {
      ...condition,
      musterVersion: '0.0.9',
      clock: fixture.clock.now() - 3_599_999,
      load: { diskFreeBytes: 1024 ** 3 },
      tmuxFault: 'tmux 2.9 at /usr/bin/tmux is too old',
      certifiedUntil: fixture.clock.now() + 5 * 60 * 60_000,
    };
    fixture.host.harnesses = ['shell'];
    fixture.clock.pass(1);
    await fixture.host.beat();
    expect((await listed())?.faults?.map((fault) => fault.split(';')[0])).to.deep.equal([
      'version: it runs muster 0.0.9, and the registry runs 0.1.0',
      'clock compared with the registry’s: it is 3600.0 s behind',
      'disk of the worktrees: only 1.0 GiB are free',
      'tmux: tmux 2.9 at /usr/bin/tmux is too old, so panes there end when muster stops',
      'certificate for the bus: it ends at 2026-11-21T14:00:00.000Z, and was not renewed',
      'coding agents: it has none, so it runs only shells',
    ]);
  });

  it('are shown with a host that sends beats but does not answer, until it does', async () => {
    const faults = async () => (await listed())?.faults ?? [];
    fixture.host.condition = { system: 'linux x64', musterVersion: '0.1.0', startedAt: 0, load: {}, protocol: 1 };
    fixture.host.harnesses = ['claude'];
    await fixture.host.beat();
    expect(await faults()).to.deep.equal([]);
    await fixture.host.fallSilent();
    // What is sent to it arrives nowhere.
    const nowhere = await fixture.nats.joinHost('hst_1');
    const hears = nowhere.subscribe('host.hst_1.>', () => undefined);
    await nowhere.roundTrip();
    fixture.clock.pass(31_000);
    await fixture.host.beat();
    await moment('the fault is shown', async () => (await faults()).some((fault) => fault.startsWith('requests: ')));
    expect((await faults()).join()).to.include(
      'its beats arrive, but it does not answer requests; find out what drops',
    );
    hears.close();
    await fixture.host.start();
    await moment('it has gone', async () => {
      await fixture.host.beat();
      return (await faults()).length === 0;
    });
  });
});
