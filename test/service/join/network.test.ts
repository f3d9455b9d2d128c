import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Host } from '#contract/host/host.ts';
import { program } from '#test/cli/command-line.ts';
import { runService, type WholeService } from '#test/cli/whole-service.ts';
import { makeAuthority } from '#test/support/certificates.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak, isSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { joinBy, machineIn, startJoined } from './machine.ts';
import { layMachines, type Machines, mayHaveMachines } from './machines.ts';

/** Machines in network namespaces: what they share is the network alone, and the central one has no file of theirs. */
describe('machines on a network', function () {
  this.timeout(240_000);
  let place: TemporaryFolder;
  let machines: Machines;
  let central: WholeService;
  const running: WholeService[] = [];
  /** The machines that join first. */
  const joining = ['build-2', 'build-3'];

  before(async function () {
    if (!mayHaveMachines()) return this.skip();
    place = temporaryFolder('network');
    machines = layMachines(['central', ...joining, ...(isSoak ? ['copy', 'walled', 'owned', 'guest'] : [])]);
    const settings = { MUSTER_HOME: home('central'), MUSTER_BIND: '0.0.0.0', MUSTER_LOG: 'warn' };
    central = await runService(['start'], settings, /Other machines join at (\S+) /, (argv) =>
      machines.on('central', argv),
    );
  });
  after(async () => {
    for (const one of [...running.toReversed(), central]) await one?.stop();
    machines?.close();
    place?.remove();
  });

  const home = (machine: string) => join(place.path, machine);
  /** Runs a command on the central machine. */
  function muster(...argv: string[]): string {
    const [command, ...words] = machines.on('central', [process.execPath, program, ...argv]);
    return execFileSync(command, words, { encoding: 'utf8', env: { ...process.env, MUSTER_HOME: home('central') } });
  }
  /** Runs a command on a machine to its end. */
  async function runMuster(at: string, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const [command, ...words] = machines.on(at, [process.execPath, program, ...argv]);
    const all = { ...process.env, MUSTER_HOME: home(at), MUSTER_LOG: 'warn', ...env };
    const child = spawn(command, words, { env: all, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = once(child, 'close');
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await ended) as [number | null];
    return { code, out, err };
  }
  const hosts = () => JSON.parse(muster('hosts', '-o', 'json')) as Host[];
  const hostNamed = (name: string) => hosts().find((host) => host.name === name);
  /** Follows the hosts by one process, until each of these was seen after a time. */
  async function seenSince(since: number, names: readonly string[]): Promise<void> {
    const [command, ...words] = machines.on('central', [process.execPath, program, 'rpc', 'list-hosts', '--watch']);
    const env = { ...process.env, MUSTER_HOME: home('central') };
    const following = spawn(command, [...words, '-o', 'jsonl'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(following, 'close');
    const missing = new Set(names);
    try {
      for await (const line of createInterface({ input: following.stdout })) {
        const { hosts: listed } = JSON.parse(line) as { hosts: Host[] };
        for (const { name = '', state, seenAt = '' } of listed)
          if (Date.parse(seenAt) > since && state === 'HOST_STATE_ONLINE') missing.delete(name);
        if (missing.size === 0) return;
      }
      throw new Error(`not seen: ${[...missing].join(', ')}`);
    } finally {
      following.kill('SIGTERM');
      await ended;
    }
  }
  const machine = (name: string) => ({
    ...machineIn(place.path, name),
    settings: { MUSTER_PORT: '7433' },
    wrap: (argv: readonly string[]) => machines.on(name, argv),
  });

  it('join with the printed line alone, over TLS, with address and fingerprint in it', async () => {
    expect(central.url).to.equal(`https://${machines.addressOf('central')}:7434`);
    for (const name of joining) {
      const line = muster('host', 'invite', '--name', name).trim();
      expect(line).to.match(/^muster join https:\/\/10\.[\d.]+:7434#JOIN-[\w-]{43}\.[\w-]{43}$/);
      const joined = await joinBy(line, machine(name));
      running.push(joined);
      expect(joined.url).to.equal('http://127.0.0.1:7433');
    }
    const names = hosts().map(({ name, state }) => `${name} ${state}`);
    expect(names).to.include.members(joining.map((name) => `${name} HOST_STATE_ONLINE`));
    const { busUrl } = JSON.parse(readFileSync(join(home('build-2'), 'joined.json'), 'utf8')) as { busUrl: string };
    expect(busUrl).to.equal(`tls://${machines.addressOf('central')}:7435`);
  });

  inSoak('report a firewall to the bus within seconds, with the address, and the line stays valid', async () => {
    const line = muster('host', 'invite', '--name', 'walled').trim();
    const open = machines.block('central', 7435, 'walled');
    const walled = machine('walled');
    const asked = performance.now();
    const { code, err } = await runMuster('walled', line.split(' ').slice(1));
    expect(performance.now() - asked).to.be.below(15_000);
    expect(code).to.equal(9);
    expect(err)
      .to.include('reaches the gateway, but not the bus')
      .and.to.include(`tls://${machines.addressOf('central')}:7435`)
      .and.to.include('a firewall drops the packets')
      .and.to.include('The line can be used again');
    expect(existsSync(walled.home), 'nothing is written').to.equal(false);
    open();
    const joined = await joinBy(line, walled);
    await joined.stop();
  });

  inSoak('join at a gateway with a person’s own certificate', async () => {
    const address = machines.addressOf('owned');
    mkdirSync(join(place.path, 'certificates'));
    const authority = makeAuthority(join(place.path, 'certificates'));
    const { cert, key } = authority.sign('gateway', `IP:${address}`);
    const settings = {
      MUSTER_HOME: home('owned'),
      MUSTER_BIND: '0.0.0.0',
      MUSTER_TLS_CERT: cert,
      MUSTER_TLS_KEY: key,
      MUSTER_JOIN_URL: `https://${address}:7433`,
      MUSTER_LOG: 'warn',
    };
    const owned = await runService(['start'], settings, /ready at (\S+)/, (argv) => machines.on('owned', argv));
    running.push(owned);
    const client = {
      MUSTER_HOME: home('owned'),
      MUSTER_URL: settings.MUSTER_JOIN_URL,
      NODE_EXTRA_CA_CERTS: authority.cert,
    };
    const invited = await runMuster('owned', ['host', 'invite', '--name', 'guest'], client);
    expect(invited.out, invited.err).to.match(
      new RegExp(`^muster join https://${address}:7433#JOIN-[\\w-]{43}\\.[\\w-]{43}$`, 'm'),
    );
    running.push(await joinBy(invited.out.trim(), { ...machine('guest') }));
    const listed = await runMuster('owned', ['hosts', '-o', 'json'], client);
    const guest = (JSON.parse(listed.out) as Host[]).find(({ name }) => name === 'guest');
    expect(guest?.state).to.equal('HOST_STATE_ONLINE');
  });

  it('return automatically after the central machine', async () => {
    await central.stop();
    const settings = { MUSTER_HOME: home('central'), MUSTER_BIND: '0.0.0.0', MUSTER_LOG: 'warn' };
    central = await runService(['start'], settings, /Other machines join at (\S+) /, (argv) =>
      machines.on('central', argv),
    );
    await seenSince(Date.now(), joining);
  });

  inSoak('with the same key are refused, which both sides show, without loss for the first', async () => {
    cpSync(home('build-2'), home('copy'), {
      recursive: true,
      filter: (path) => !path.startsWith(join(home('build-2'), 'run/')),
    });
    const copy = await startJoined(machine('copy'));
    running.push(copy);
    await moment('the copy to say why it is refused', () =>
      /already runs on machine .* uses the same host\.id/.test(copy.told()),
    );
    expect(copy.told())
      .to.match(/^The registry at .* refuses this host/m)
      .and.not.to.include('ready as host');
    const { rival, state } = hostNamed('build-2') ?? {};
    expect(rival).to.include({ folder: home('copy') });
    expect(state).to.equal('HOST_STATE_ONLINE');
    await copy.stop();
  });

  it('lose their connection on removal, and stop', async () => {
    const removed = running[0];
    muster('host', 'remove', 'build-2', '--yes');
    expect(await removed?.ended).to.equal(8);
    expect(removed?.told()).to.match(/^A person removed host "build-2"/m);
    expect(hosts().map(({ name }) => name)).not.to.include('build-2');
    await seenSince(Date.now(), joining.slice(1));
  });
});
