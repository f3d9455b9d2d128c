import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { connectBus } from '#bus/connection.ts';
import { authenticatorOf } from '#bus/identity/authenticator.ts';
import type { BusKeys } from '#bus/identity/bus-keys.ts';
import { nameIn, readCredential } from '#bus/identity/credential.ts';
import { runBusKeys } from '#service/bus/bus-keys-command.ts';
import { readRevocations } from '#service/bus/bus-revocations.ts';
import { readConfig } from '#service/config.ts';
import { setUpNatsServer } from '#test/bus/nats-fixture.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { launchChild, type RunningChild } from '#world/process/child-process.ts';

describe('muster bus-keys', () => {
  let place: TemporaryFolder;
  let server: RunningChild | undefined;
  beforeEach(() => {
    place = temporaryFolder('bus-keys');
  });
  afterEach(async () => {
    await server?.stop(2_000);
    server = undefined;
    place.remove();
  });

  const read = (name: string) => readFileSync(join(place.path, name), 'utf8');
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runBusKeys([place.path, ...args], readConfig(more), Date.now());
  const credential = (name: string) => {
    const found = readCredential(read(`${name}.creds`));
    if (found === undefined) throw new Error(`${name}.creds has no credential`);
    return found;
  };
  /** Starts a server that trusts the keys of the folder, and refuses what is revoked there. */
  async function startBus(): Promise<string> {
    const keys = JSON.parse(read('bus.keys')) as BusKeys;
    const revoked = readRevocations(join(place.path, 'bus-revoked.json'));
    server = await launchChild(await setUpNatsServer(join(place.path, 'nats'), keys, revoked));
    return server.url ?? '';
  }

  it('creates keys and credentials that only their owner may read, and keeps them on a second run', async () => {
    await run([]);
    const before = ['bus.keys', 'bus-trust.conf', 'gateway.creds'].map(read);
    await run(['--host', 'build-2']);
    await run(['--host', 'build-3']);
    expect(['bus.keys', 'bus-trust.conf', 'gateway.creds'].map(read)).to.deep.equal(before);
    const names = readdirSync(place.path).toSorted();
    expect(names).to.deep.equal(['build-2.creds', 'build-3.creds', 'bus-trust.conf', 'bus.keys', 'gateway.creds']);
    for (const name of names) expect(statSync(join(place.path, name)).mode & 0o777, name).to.equal(0o600);
    const ids = ['build-2', 'build-3'].map((name) => nameIn(credential(name).jwt()));
    expect(ids.filter((id) => /^hst_[0-9A-Z]{26}$/.test(id ?? ''))).to.have.length(2);
    expect(ids[0]).not.to.equal(ids[1]);
    await run(['--host', 'old', '--id', 'hst_01ABC']);
    expect(nameIn(credential('old').jwt()), 'a host that has an id keeps it').to.equal('hst_01ABC');
    for (const seed of Object.values(JSON.parse(read('bus.keys')) as object)) {
      expect(read('bus-trust.conf')).not.to.include(seed);
    }
  });

  it('revokes a credential: its connection ends within a second, and no later one is accepted, also after a restart', async () => {
    for (const name of ['build-2', 'build-3']) await run(['--host', name]);
    const url = await startBus();
    const lost = credential('build-2');
    const [revoked, other] = await Promise.all(
      [lost, credential('build-3')].map((one) =>
        connect({ servers: url, authenticator: authenticatorOf(one), reconnect: false }),
      ),
    );
    await run(['--revoke', 'build-2'], { MUSTER_BUS_URL: url });
    const since = performance.now();
    await revoked?.closed();
    expect(performance.now() - since).to.be.below(1_000);
    expect(other?.isClosed()).to.equal(false);
    await other?.close();
    expect(readdirSync(place.path)).not.to.include('build-2.creds');
    const member = { kind: 'host', hostId: nameIn(lost.jwt()) } as const;
    const joining = (at: string) => failureOf(() => connectBus({ url: at, member, credential: lost }));
    expect((await joining(url)).reason).to.equal('BUS_CREDENTIAL_REFUSED');
    await server?.stop(2_000);
    expect((await joining(await startBus())).reason).to.equal('BUS_CREDENTIAL_REFUSED');
  });

  it('explains invalid arguments, and writes nothing', async () => {
    for (const [args, reason] of [
      [['elsewhere'], 'INVALID_USAGE'],
      [['--host', '../up'], 'INVALID_USAGE'],
      [['--host', 'gateway'], 'INVALID_USAGE'],
      [['--revoke', 'a/b'], 'INVALID_USAGE'],
      [['--host', 'a', '--revoke', 'b'], 'INVALID_USAGE'],
      [['--hosts'], 'INVALID_USAGE'],
      [['--id', 'hst_1'], 'INVALID_USAGE'],
      [['--host', 'a', '--id', 'hst_*'], 'INVALID_USAGE'],
      [['--revoke', 'build-2'], 'BUS_NOT_CONFIGURED'],
    ] as const) {
      expect((await failureOf(() => run(args))).reason, args.join(' ')).to.equal(reason);
    }
    const missing = () => run(['--revoke', 'build-2'], { MUSTER_BUS_URL: 'nats://127.0.0.1:1' });
    expect((await failureOf(missing)).reason).to.equal('BUS_NOT_CONFIGURED');
    expect(readdirSync(place.path)).to.deep.equal([]);
    await run(['--host', 'build-2']);
    expect((await failureOf(missing)).reason).to.equal('BUS_UNAVAILABLE');
    expect(readdirSync(place.path), 'it can be repeated').to.include('build-2.creds');
  });
});
