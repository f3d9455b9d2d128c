import { expect } from 'chai';
import type { Host } from '#contract/host/host.ts';
import type { HostCondition } from '#contract/wire/host-condition.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';
import { secondHost } from './second-host.ts';

const gibibyte = 2 ** 30;

describe('hosts’ load', () => {
  let fixture: RegistryFixture;

  beforeEach(async () => {
    fixture = await registryFixture();
  });
  afterEach(() => fixture.close());

  const list = async () => (await fixture.call<{ hosts: Host[] }>('ListHosts')).hosts;
  const isLost = async () => (await list())[0]?.state === 'HOST_STATE_LOST';

  it('is reported with beats without a transition, and kept for a lost host', async () => {
    const startedAt = fixture.clock.now() - 3_600_000;
    const load = { loadAverage1m: 0.5, cpuCount: 4, memoryUsedBytes: 6 * gibibyte, memoryTotalBytes: 16 * gibibyte };
    const told = { system: 'linux x64', musterVersion: '1.2.3', startedAt };
    fixture.host.condition = { ...told, load: { ...load, diskFreeBytes: 0, diskTotalBytes: 2 ** 40 } };
    fixture.clock.pass(5_000);
    await fixture.host.beat();
    const last = {
      measuredAt: '2026-11-21T09:00:05.000Z',
      loadAverage1m: 0.5,
      cpuCount: 4,
      memoryUsedBytes: '6442450944',
      memoryTotalBytes: '17179869184',
      diskFreeBytes: '0',
      diskTotalBytes: '1099511627776',
    };
    const shown = { system: 'linux x64', musterVersion: '1.2.3', startedAt: '2026-11-21T08:00:00.000Z' };
    expect((await list())[0]).to.deep.include({ ...shown, load: last });
    await fixture.restart();
    await fixture.call('DrainHost', { hostId: 'hst_1' });
    expect((await list())[0]).to.deep.include({ ...shown, load: last, draining: true });
    fixture.clock.pass(61_000);
    await moment('the host is lost', isLost);
    expect((await list())[0]).to.deep.include({ ...shown, load: last, seenAt: last.measuredAt });
    // Such as on macOS.
    fixture.host.condition = { ...told, load: { loadAverage1m: 0, cpuCount: 8, memoryTotalBytes: gibibyte } };
    await fixture.host.beat();
    expect((await list())[0]?.load).to.deep.equal({
      measuredAt: '2026-11-21T09:01:06.000Z',
      loadAverage1m: 0,
      cpuCount: 8,
      memoryTotalBytes: String(gibibyte),
    });
    const { facts } = await fixture.call<{ facts: { kind: string }[] }>('ListFacts', { subjectId: 'hst_1' });
    expect(facts.map(({ kind }) => kind)).to.deep.equal([
      'host.seen',
      'host.lost',
      'host.silent',
      'host.drained',
      'host.seen',
    ]);
    const machine = { machine: 'host', subjectId: 'hst_1' };
    const { transitions } = await fixture.call<{ transitions: object[] }>('ListTransitions', machine);
    expect(transitions).to.have.length(5);
    expect(JSON.stringify([facts, transitions])).not.to.include('loadAverage');
  });

  it('is shown with the agents’ gateway address and its fault, until it answers', async () => {
    const told = { system: 'linux x64', musterVersion: '1.2.3', startedAt: 0, load: {} };
    const url = 'http://127.0.0.1:7433';
    fixture.host.condition = { ...told, gateway: { url, fault: 'nobody listens there' } };
    fixture.clock.pass(5_000);
    await fixture.host.beat();
    expect((await list())[0]).to.include({ gatewayUrl: url, gatewayFault: 'nobody listens there' });
    fixture.host.condition = { ...told, gateway: { url } };
    fixture.clock.pass(5_000);
    await fixture.host.beat();
    expect((await list())[0])
      .to.include({ gatewayUrl: url })
      .and.not.to.have.property('gatewayFault');
  });

  it('never invalidates a beat, whatever is reported', async () => {
    const { registry } = fixture.host;
    const odd = { system: 'plan9', musterVersion: '', startedAt: 0, load: { memoryUsedBytes: -1 } } as HostCondition;
    fixture.clock.pass(5_000);
    await registry.beat({ hostId: 'hst_1', name: 'a', harnesses: ['shell'], condition: odd });
    expect((await list())[0])
      .to.include({ seenAt: '2026-11-21T09:00:05.000Z' })
      .and.not.have.property('load');
  });

  it('does not affect placement, which counts agents', async () => {
    const second = await secondHost(fixture, 'hst_2');
    const busy = { loadAverage1m: 64, cpuCount: 2, memoryUsedBytes: gibibyte, memoryTotalBytes: gibibyte };
    second.condition = { system: 'linux x64', musterVersion: '1.2.3', startedAt: 0, load: busy };
    await second.beat();
    expect((await fixture.create({ host: 'hst_1' })).hostId).to.equal('hst_1');
    expect((await fixture.create()).hostId).to.equal('hst_2');
  });
});
