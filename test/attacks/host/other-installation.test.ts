import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { claimBus, requireFreeBus } from '#actors/registry/peer/bus-claim.ts';
import { holderOf } from '#actors/registry/peer/holder.ts';
import type { Bus } from '#bus/bus.ts';
import { openHostLine } from '#bus/host-line/host-line.ts';
import { makeKeyPair } from '#bus/seal/key-pair.ts';
import { readySubject } from '#bus/subjects.ts';
import type { Failure } from '#contract/failure.ts';
import type { RegistryReadiness } from '#contract/wire/figures.ts';
import { joinInstallation } from '#gateway/join-installation.ts';
import { ownInstallation } from '#service/installation-file.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { systemTimer } from '#world/concurrency/timer.ts';

/** The peers of a registry with a database of its own. */
const none = { isShared: false, includes: async () => false, mayInclude: () => false, see: () => {} };

const muster = fileURLToPath(new URL('../../../bin/muster', import.meta.url));

describe('two installations on one bus', () => {
  let fixture: RegistryFixture;
  let place: TemporaryFolder;
  let own: string;

  before(async () => {
    fixture = await registryFixture();
    place = temporaryFolder('other-installation');
    own = (await ready(fixture.gateway)).installation ?? '';
  });
  after(async () => {
    await fixture.close();
    place.remove();
  });

  const ready = async (bus: Bus) => (await bus.request(readySubject, {}, { timeoutMs: 2_000 })) as RegistryReadiness;

  it('cannot start: a second registry ends with status 6 and names the first', async () => {
    const home = join(place.path, 'orphan');
    const keys = join(place.path, 'bus.keys');
    writeFileSync(keys, JSON.stringify(fixture.nats.keys), { mode: 0o600 });
    const env = { ...bareEnvironment(), MUSTER_HOME: home, MUSTER_BUS_URL: fixture.nats.url, MUSTER_BUS_KEYS: keys };
    const child = spawn(muster, ['registry'], { env, stdio: ['ignore', 'ignore', 'pipe'], timeout: 30_000 });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const [status] = (await once(child, 'close')) as [number | null];
    expect(stderr)
      .to.include('Another registry answers on this bus')
      .and.to.include(`process ${process.pid} on `)
      .and.to.include(`of the state folder ${fixture.folder.path} (installation ${own})`)
      .and.to.include(`It belongs to another installation than this one (`)
      .and.to.include(`${home})`)
      .and.to.include(`kill ${process.pid}`);
    expect(status).to.equal(6);
    expect((await ready(fixture.gateway)).installation).to.equal(own);
  });

  it('cannot start with a copied folder either', async () => {
    const bus = await fixture.nats.join('registry');
    const failure = await failureOf(() =>
      requireFreeBus({ bus, own: holderOf(own, '/copy'), peers: none, log: logProbe() }),
    );
    expect(failure.reason).to.equal('BUS_TAKEN');
    expect(failure.message).to.include('It has a copy of this database');
    await bus.close();
  });

  it('separate if both started at once: the younger registry yields, whichever notices first', async () => {
    for (const order of [
      [1_000, 2_000],
      [2_000, 1_000],
    ]) {
      const yielded: number[] = [];
      const buses: Bus[] = [];
      for (const at of order) {
        const bus = await fixture.nats.join('registry');
        buses.push(bus);
        claimBus({
          bus,
          own: holderOf(`of ${at}`, '/x', at),
          peers: none,
          log: logProbe(),
          onLost(why: Failure) {
            expect(why.message).to.include('installation of 1000');
            yielded.push(at);
          },
        });
      }
      await moment('one of them gives way', () => yielded.length > 0);
      expect(yielded).to.deep.equal([2_000]);
      for (const bus of buses) await bus.close();
    }
  });

  it('stay separate: a host of another installation gets one line, and no row', async () => {
    const log = logProbe();
    const bus = await fixture.nats.joinHost('hst_strange');
    const line = openHostLine(bus, 'hst_strange', makeKeyPair(), {
      monotonic: systemTimer.monotonic,
      log,
      installation: { id: () => 'another' },
    });
    for (let tries = 0; tries < 3; tries += 1) {
      const failure = await failureOf(() => line.ask('families', { families: [] }, 2_000));
      expect({ code: failure.code, reason: failure.reason }).to.deep.equal({
        code: 'unavailable',
        reason: 'OTHER_INSTALLATION',
      });
    }
    expect(log.lines).to.have.length(1);
    expect(log.lines[0])
      .to.include('This host belongs to the installation another')
      .and.to.include(`installation ${own}`)
      .and.to.include('remove installation.id')
      .and.not.to.include('\n');
    const { hosts } = await fixture.call<{ hosts: { id: string }[] }>('ListHosts');
    expect(hosts.map(({ id }) => id)).to.deep.equal(['hst_1']);
    line.close();
  });

  it('stay separate: a gateway of another installation gets only that answer', async () => {
    const log = logProbe();
    const strange = await fixture.nats.join('gateway', { log, installation: { id: () => 'another' } });
    for (let tries = 0; tries < 3; tries += 1) {
      const failure = await failureOf(() => ready(strange));
      expect(failure.reason).to.equal('OTHER_INSTALLATION');
      expect(failure.message).to.include('This gateway belongs to the installation another');
    }
    expect(log.lines).to.have.length(1);
    const itsOwn = await fixture.nats.join('gateway', { installation: { id: () => own } });
    expect((await ready(itsOwn)).installation).to.equal(own);
  });

  it('stay separate across versions: a host and a gateway of a later muster each get one line', async () => {
    const later = { min: 2, max: 3 };
    const log = logProbe();
    const bus = await fixture.nats.joinHost('hst_later');
    const options = { monotonic: systemTimer.monotonic, log, installation: { id: () => own }, protocols: later };
    const line = openHostLine(bus, 'hst_later', makeKeyPair(), options);
    const gateway = await fixture.nats.join('gateway', { log, installation: { id: () => own }, protocols: later });
    for (let tries = 0; tries < 2; tries += 1) {
      for (const [who, ask] of [
        ['host', () => line.ask('families', { families: [] }, 2_000)],
        ['gateway', () => ready(gateway)],
      ] as const) {
        const { reason, message } = await failureOf(ask);
        expect(reason).to.equal('PROTOCOL_UNSUPPORTED');
        expect(message)
          .to.include(`This ${who} speaks versions 2 to 3 of the bus's messages, and the registry speaks version 1.`)
          .and.to.include('Update muster where the registry runs')
          .and.to.include('The windows of agents stay');
      }
    }
    expect(log.lines).to.have.length(2);
    line.close();
    const sameToo = await fixture.nats.join('gateway', {
      installation: { id: () => own },
      protocols: { min: 0, max: 1 },
    });
    expect((await ready(sameToo)).installation).to.equal(own);
  });

  it('are recognized from the first contact: a gateway stores its installation in its state folder', async () => {
    const installation = ownInstallation(place.path);
    const meeting = joinInstallation(fixture.gateway, installation, logProbe());
    await moment('it has met its registry', () => installation.id());
    meeting.stop();
    expect(ownInstallation(place.path).id()).to.equal(own);
  });
});
