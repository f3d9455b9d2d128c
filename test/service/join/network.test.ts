import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Host } from '#contract/host/host.ts';
import { program } from '#test/cli/command-line.ts';
import { runService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
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

  before(async function () {
    if (!mayHaveMachines()) return this.skip();
    place = temporaryFolder('network');
    machines = layMachines(['central', 'build-2', 'build-3', 'copy']);
    const settings = { MUSTER_HOME: home('central'), MUSTER_BIND: '0.0.0.0', MUSTER_LOG: 'warn' };
    central = await runService(['start'], settings, /Other machines join at (\S+) /, (argv) =>
      machines.on('central', argv),
    );
  });
  after(async () => {
    for (const one of [...running, central]) await one?.stop();
    machines?.close();
    place?.remove();
  });

  const home = (machine: string) => join(place.path, machine);
  /** Runs a command on the central machine. */
  function muster(...argv: string[]): string {
    const [command, ...words] = machines.on('central', [process.execPath, program, ...argv]);
    return execFileSync(command, words, { encoding: 'utf8', env: { ...process.env, MUSTER_HOME: home('central') } });
  }
  const hosts = () => JSON.parse(muster('hosts', '-o', 'json')) as Host[];
  const hostNamed = (name: string) => hosts().find((host) => host.name === name);
  const machine = (name: string) => ({
    ...machineIn(place.path, name),
    settings: { MUSTER_PORT: '7433' },
    wrap: (argv: readonly string[]) => machines.on(name, argv),
  });

  it('join by the printed line alone, over TLS, and the line holds the address and the fingerprint', async () => {
    expect(central.url).to.equal(`https://${machines.addressOf('central')}:7434`);
    for (const name of ['build-2', 'build-3']) {
      const line = muster('host', 'invite', '--name', name).trim();
      expect(line).to.match(/^muster join https:\/\/10\.[\d.]+:7434#JOIN-[\w-]{43}\.[\w-]{43}$/);
      const joined = await joinBy(line, machine(name));
      running.push(joined);
      expect(joined.url).to.equal('http://127.0.0.1:7433');
    }
    const names = hosts().map(({ name, state }) => `${name} ${state}`);
    expect(names).to.include('build-2 HOST_STATE_ONLINE').and.to.include('build-3 HOST_STATE_ONLINE');
    const { busUrl } = JSON.parse(readFileSync(join(home('build-2'), 'joined.json'), 'utf8')) as { busUrl: string };
    expect(busUrl).to.equal(`tls://${machines.addressOf('central')}:7435`);
  });

  it('return after the central machine, without a word', async () => {
    await central.stop();
    const settings = { MUSTER_HOME: home('central'), MUSTER_BIND: '0.0.0.0', MUSTER_LOG: 'warn' };
    central = await runService(['start'], settings, /Other machines join at (\S+) /, (argv) =>
      machines.on('central', argv),
    );
    await moment('build-2 to be back', () => Date.parse(hostNamed('build-2')?.seenAt ?? '') > Date.now() - 5_000);
    expect(hostNamed('build-2')?.state).to.equal('HOST_STATE_ONLINE');
  });

  it('of which one has the key of another are refused, both sides show it, and nothing of the first is lost', async () => {
    cpSync(home('build-2'), home('copy'), {
      recursive: true,
      filter: (path) => !path.startsWith(join(home('build-2'), 'run/')),
    });
    const copy = await startJoined(machine('copy'));
    running.push(copy);
    await moment('the copy to say why it is refused', () =>
      /already runs on machine .* uses the same host\.id/.test(copy.told()),
    );
    const { rival, state } = hostNamed('build-2') ?? {};
    expect(rival).to.include({ folder: home('copy') });
    expect(state).to.equal('HOST_STATE_ONLINE');
    await copy.stop();
  });

  it('lose their connection when they are removed, and end', async () => {
    const removed = running[0];
    muster('host', 'remove', 'build-2', '--yes');
    expect(await removed?.ended).to.equal(8);
    expect(removed?.told()).to.match(/^A person removed host "build-2"/m);
    expect(hosts().map(({ name }) => name)).not.to.include('build-2');
    expect(hostNamed('build-3')?.state).to.equal('HOST_STATE_ONLINE');
  });
});
