import { expect } from 'chai';
import { registryClient } from '#actors/host/agent/registry-journal.ts';
import { type HostLine, openHostLine } from '#bus/host-line/host-line.ts';
import { makeKeyPair } from '#bus/seal/key-pair.ts';
import type { CheckedPart } from '#contract/host/check.ts';
import type { Host } from '#contract/host/host.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { postgresDatabase } from '#test/support/postgres/postgres-database.ts';

describe('a host with two registries', () => {
  let fixture: RegistryFixture;
  const lines: HostLine[] = [];

  before(async () => {
    fixture = await registryFixture({ database: await postgresDatabase(), registries: 2 });
  });
  afterEach(() => {
    for (const line of lines.splice(0)) line.close();
  });
  after(() => fixture.close());

  const join = async (id: string, key = makeKeyPair()) => {
    const holder = { machine: id, boot: 'a', folder: '1:2', path: '/var/muster' };
    const line = openHostLine(await fixture.nats.joinHost(id), id, key, { monotonic: () => 0, holder });
    lines.push(line);
    const registry = registryClient(line);
    await registry.beat({ hostId: id, name: nameOf(id), harnesses: [] });
    return { line, registry, beat: () => line.ask('beat', { hostId: id, name: nameOf(id), harnesses: [] }, 5_000) };
  };
  const nameOf = (id: string) => id.replace('hst_', 'machine-');
  const beatAt = (line: HostLine, registry: string) =>
    line.ask('beat', { hostId: line.hostId, name: nameOf(line.hostId), harnesses: [] }, 5_000, registry);
  const hosts = async () => (await fixture.call<{ hosts: Host[] }>('ListHosts')).hosts;

  it('gets requests from both, whichever it reports to', async () => {
    const { line } = await join('hst_asked');
    await fixture.call('DrainHost', { hostId: 'hst_asked', undo: true });
    let asked = 0;
    await line.serve({ name: 'h', version: '1.0.0' }, [
      {
        verb: 'examine',
        handle: () => {
          asked += 1;
          return { checks: [], now: fixture.clock.now() };
        },
      },
    ]);
    for (let calls = 1; calls <= 12; calls += 1) {
      const { parts } = await fixture.call<{ parts: CheckedPart[] }>('RunDoctor', { hostId: 'hst_asked' });
      expect(parts[0]?.checks?.filter(({ outcome }) => outcome === 'CHECK_OUTCOME_FAILURE')).to.deep.equal([]);
      expect(asked).to.equal(calls);
    }
  });

  it('reports to each of them in a separate session', async () => {
    const { line } = await join('hst_reports');
    for (const instance of fixture.instances) await beatAt(line, instance);
    const failure = await failureOf(() => beatAt(line, 'none'));
    expect(failure.reason).to.equal('NOBODY_ANSWERS');
    await beatAt(line, fixture.instances[0] ?? '');
  });

  it('without its key at one has no session with the other either, within a second', async () => {
    const old = makeKeyPair();
    const { line } = await join('hst_forgotten', old);
    for (const instance of fixture.instances) await beatAt(line, instance);
    await fixture.call('ForgetHostKey', { hostId: 'hst_forgotten' });
    fixture.clock.pass(1_000);
    // Another key takes the row; both refuse the old one in any of its sessions.
    await join('hst_forgotten');
    for (const instance of fixture.instances) {
      // Its session has ended there already, or ends now; another one is refused.
      const reasons: string[] = [];
      for (let tries = 0; tries < 3; tries += 1) reasons.push((await failureOf(() => beatAt(line, instance))).reason);
      expect(
        reasons.slice(0, 2).every((reason) => ['HOST_SESSION_ENDED', 'HOST_KEY_CHANGED'].includes(reason)),
      ).to.equal(true);
      expect(reasons[2], instance).to.equal('HOST_KEY_CHANGED');
    }
  });

  it('without its key does not bind it again by a session with the other', async () => {
    const { line } = await join('hst_rebound');
    const [one = '', other = ''] = fixture.instances;
    for (const instance of [one, other]) await beatAt(line, instance);
    await fixture.call('ForgetHostKey', { hostId: 'hst_rebound' });
    const key = async () => (await fixture.store.read((tables) => tables.hosts.find('hst_rebound')))?.key;
    expect(await key()).to.equal(null);
    const raw = await Promise.all(
      [one, other].map((instance) => beatAt(line, instance).catch((error: unknown) => error)),
    );
    const refused = raw.filter((answer) => answer instanceof Error);
    // Each session that began before has ended: only a new one binds the key, as a person wants it to.
    expect(refused.every((error) => /has ended|HOST_SESSION_ENDED|no session/.test(String(error)))).to.equal(true);
    expect(refused).to.have.length(2);
    expect(await key()).to.equal(null);
  });

  it('is online at both at once, though its beat is in the memory of one', async () => {
    const { beat } = await join('hst_seen');
    fixture.clock.pass(3_000);
    await beat();
    const at = new Date(fixture.clock.now()).toISOString();
    for (let calls = 0; calls < 8; calls += 1) {
      const seen = (await hosts()).find(({ id }) => id === 'hst_seen')?.seenAt;
      expect(Date.parse(seen ?? '')).to.equal(Date.parse(at));
    }
  });

  it('with a new process gets requests from both there', async () => {
    const key = makeKeyPair();
    const examined: string[] = [];
    const run = async (which: string) => {
      const { line } = await join('hst_again', key);
      const served = await line.serve({ name: 'h', version: '1.0.0' }, [
        {
          verb: 'examine',
          handle: () => {
            examined.push(which);
            return { checks: [], now: fixture.clock.now() };
          },
        },
      ]);
      return { line, served };
    };
    const examineAll = async () => {
      for (let calls = 0; calls < 8; calls += 1) await fixture.call('RunDoctor', { hostId: 'hst_again' });
    };
    const first = await run('first');
    await fixture.call('DrainHost', { hostId: 'hst_again', undo: true });
    await examineAll();
    expect(examined).to.have.length(8);
    first.line.close();
    await first.served.stop();
    await run('second');
    // The other registry asks for a session as soon as it is hinted that the host began one.
    await moment('both ask the new one', async () => {
      const before = examined.length;
      await examineAll();
      return examined.length - before === 8;
    });
    expect(new Set(examined.slice(8))).to.deep.equal(new Set(['second']));
  });
});
