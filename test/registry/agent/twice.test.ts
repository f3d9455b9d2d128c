import { expect } from 'chai';
import { registryClient } from '#actors/host/agent/registry-journal.ts';
import { type HostLine, openHostLine } from '#bus/host-line/host-line.ts';
import { makeKeyPair } from '#bus/seal/key-pair.ts';
import type { CheckedPart } from '#contract/host/check.ts';
import type { Host } from '#contract/host/host.ts';
import type { Holder } from '#contract/wire/host-greeting.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { holderOf } from '#world/holder.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const original: Holder = { machine: 'build-1', boot: 'a', folder: '1:2', path: '/var/muster' };
const copiedDisk: Holder = { ...original, machine: 'build-1-clone', boot: 'b' };
const copiedFolder: Holder = { ...original, folder: '1:3', path: '/home/ann/copy' };

describe('two machines with one host id and key', () => {
  let fixture: RegistryFixture;
  const key = makeKeyPair();
  const lines: HostLine[] = [];

  before(async () => {
    // With a stopped clock, another registry would detect a new holder of a host within 0.9 s.
    fixture = await registryFixture({ registries: 1 });
  });
  afterEach(() => {
    for (const line of lines.splice(0)) line.close();
  });
  after(() => fixture.close());

  const come = async (holder: Holder) => {
    const line = openHostLine(await fixture.nats.joinHost('hst_two'), 'hst_two', key, { monotonic: () => 0, holder });
    lines.push(line);
    const registry = registryClient(line);
    return {
      line,
      beat: (instance?: string) => line.ask('beat', { hostId: 'hst_two', name: 'two', harnesses: [] }, 5_000, instance),
      changes: () => registry.changes('hst_two', ''),
    };
  };
  const host = async (): Promise<Host> => {
    const { hosts } = await fixture.call<{ hosts: Host[] }>('ListHosts');
    return hosts.find(({ id }) => id === 'hst_two') ?? {};
  };
  const lost = async () => {
    // Also after a start of the registry, which gives hosts a minute.
    fixture.clock.pass(61_000);
    await moment('it counts as lost', async () => (await host()).state === 'HOST_STATE_LOST');
  };

  for (const [what, copy] of Object.entries({ 'copied disk': copiedDisk, 'copied state folder': copiedFolder })) {
    it(`are served only to the first: a ${what} is refused, and both sides report why`, async () => {
      const first = await come(original);
      // Each registry may be the one that asks it below.
      for (const instance of fixture.instances) await first.beat(instance);
      await fixture.call('DrainHost', { hostId: 'hst_two', undo: true });
      const asked: string[] = [];
      const served = await first.line.serve({ name: 'h', version: '1.0.0', description: '' }, [
        {
          verb: 'examine',
          handle: () => {
            asked.push('first');
            return { checks: [], now: fixture.clock.now() };
          },
        },
      ]);
      const second = await come(copy);
      for (const word of [second.changes, () => second.beat()]) {
        const { code, message } = await failureOf(word);
        expect(code).to.equal('permission_denied');
        expect(message).to.contain(copy.path).and.to.contain('join that machine as another host');
      }
      await first.beat();
      expect((await host()).rival).to.deep.include({ machine: copy.machine, folder: copy.path });
      const { parts } = await fixture.call<{ parts: CheckedPart[] }>('RunDoctor', { hostId: 'hst_two' });
      expect(asked).to.deep.equal(['first']);
      const { checks = [] } = parts[0] ?? {};
      expect(checks.find(({ name }) => name === 'identity')?.found).to.contain(copy.path);
      second.line.close();
      fixture.clock.pass(20_000);
      await first.beat();
      fixture.clock.pass(11_000);
      await first.beat();
      expect(await host()).to.not.have.property('rival');
      await served.stop();
    });
  }

  it('stay in that order over a restart of the registry', async () => {
    const first = await come(original);
    await first.beat();
    await fixture.restart();
    const second = await come(copiedDisk);
    expect(await failureOf(second.beat)).to.have.property('code', 'permission_denied');
    await first.beat();
  });

  it('include a restarted process of the same folder, which takes over at once', async () => {
    await (await come(original)).beat();
    const again = await come(original);
    await again.beat();
    await again.changes();
  });

  it('change places once the first was silent for 30 s, and back again', async () => {
    const first = await come(original);
    await first.beat();
    const second = await come(copiedDisk);
    await failureOf(second.beat);
    await lost();
    await second.beat();
    expect(await failureOf(first.beat)).to.have.property('code', 'permission_denied');
    await second.beat();
    await lost();
    await first.beat();
    expect(await failureOf(second.changes)).to.have.property('code', 'permission_denied');
  });

  it('does not refuse the host of the registry’s own folder after a restart of the computer', async () => {
    await lost();
    const own = holderOf(fixture.folder.path);
    await (await come({ ...own, boot: 'before' })).beat();
    const restarted = await come(own);
    await restarted.beat();
    await restarted.changes();
    const copy = await come(copiedFolder);
    expect(await failureOf(copy.changes)).to.include({ code: 'permission_denied' });
  });
});
