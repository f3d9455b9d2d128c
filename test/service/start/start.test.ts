import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readCredential } from '#bus/identity/credential.ts';
import { checkUnhandled } from '#service/machine-checks.ts';
import { bareEnvironment } from '#test/support/bare-environment.ts';
import { inSoak } from '#test/support/soak.ts';
import { someOf } from '#test/support/some-of.ts';
import { skipWithoutPty } from '#test/world/embedded-fixture.ts';
import { argumentsOf, environmentOf, findProcess } from '#world/process/process-tree.ts';
import { moment } from '../../support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const program = fileURLToPath(new URL('./start-program.ts', import.meta.url));

/** A `muster start` under test, and all that it wrote. */
interface Run {
  readonly process: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<number | NodeJS.Signals>;
}

describe('muster start', () => {
  let place: TemporaryFolder;
  const runs: Run[] = [];
  beforeEach(() => {
    place = temporaryFolder('start');
  });
  afterEach(async () => {
    for (const run of runs.splice(0)) {
      run.process.kill('SIGTERM');
      await run.ended;
    }
    for (const pid of [...Object.values(pidsNow()), nats()])
      await moment(`${pid} is gone`, async () => !(await runsStill(pid)));
    place.remove();
  });

  function start(environment: Record<string, string> = {}): Run {
    const env = { ...bareEnvironment(), MUSTER_HOME: place.path, MUSTER_PORT: '0', ...environment };
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (texts.out += chunk));
    child.stderr.on('data', (chunk) => (texts.err += chunk));
    const ended = once(child, 'exit').then(([status, signal]) => status ?? signal);
    const run = { process: child, stdout: () => texts.out, stderr: () => texts.err, ended };
    runs.push(run);
    return run;
  }

  async function started(environment: Record<string, string> = {}): Promise<Run> {
    const run = start(environment);
    await moment('it is ready', () => {
      if (run.process.exitCode !== null) throw new Error(`it ended instead: ${run.stderr()}`);
      return run.stdout().includes('muster is ready');
    });
    return run;
  }

  /** What the members noted, such as `start registry`, without their ids. */
  const events = (): string[] => noted().map((line) => line.split(' ').slice(0, 2).join(' '));
  /** The newest id of each member. */
  function pidsNow(): Record<string, number> {
    const starts = noted().filter((line) => line.startsWith('start '));
    return Object.fromEntries(starts.map((line) => [line.split(' ')[1] ?? '', Number(line.split(' ')[2])]));
  }
  function noted(): string[] {
    const file = join(place.path, 'events');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  }
  function nats(): number {
    const file = join(place.path, 'run/nats-server.pid');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).pid : 0;
  }
  const runsStill = async (pid: number): Promise<boolean> => pid !== 0 && (await findProcess(pid)) !== undefined;

  it('starts all in order, passes no secret to be seen, refuses a second start, and stops in reverse on SIGINT', async () => {
    const run = await started();
    expect(events()).to.deep.equal(['start registry', 'start host', 'start gateway']);
    const [first, ...rest] = run.stdout().split('\n');
    expect(first).to.match(/^muster is ready at http:\/\/127\.0\.0\.1:[1-9]\d+$/);
    for (const next of ['muster new "', 'muster ls --watch', 'muster attach NAME']) {
      expect(rest.join('\n')).to.include(next);
    }

    const keys: Record<string, string> = JSON.parse(readFileSync(join(place.path, 'bus.keys'), 'utf8'));
    const seeds = ['host', 'gateway'].map((member) => {
      const credential = readCredential(readFileSync(join(place.path, `run/bus-${member}.creds`), 'utf8'));
      return credential?.seed ?? '';
    });
    const secrets = [...Object.values(keys), ...seeds];
    expect(secrets.filter((secret) => /^S[OAU]\w{50,}$/.test(secret))).to.have.length(5);
    for (const pid of [...Object.values(pidsNow()), nats()]) {
      const seen = [...(await argumentsOf(pid)), ...(await environmentOf(pid))].join(' ');
      for (const secret of secrets) expect(seen).not.to.include(secret);
    }
    await refusesASecond(run);
    await stopsInReverse(run, 'SIGINT');
  });

  inSoak('says what cannot be done where panes are embedded, and that agents end with it', async function () {
    skipWithoutPty.call(this);
    const run = await started({ MUSTER_TERMINAL: 'embedded' });
    await moment('the rest of the greeting', () => run.stdout().includes('Ctrl-C'));
    expect(run.stdout())
      .to.match(/^Agents run in embedded panes \(MUSTER_TERMINAL is embedded\): .*only muster attach opens them/m)
      .and.to.match(/^Ctrl-C stops muster and the agents/m);
  });

  it('refuses to start without a terminal for panes, before any member runs', async () => {
    writeFileSync(join(place.path, 'tmux'), '#!/bin/sh\necho tmux 3.1c\n', { mode: 0o755 });
    const run = start({ MUSTER_TERMINAL: 'tmux', PATH: `${place.path}:${process.env['PATH']}` });
    expect(await run.ended).to.equal(70);
    expect(run.stderr()).to.match(/^failed_precondition: .*MUSTER_TERMINAL is tmux, and tmux 3\.1c at .* install tmux/);
    expect(events()).to.deep.equal([]);
  });

  inSoak('gives every member the address before any of them runs, also if the port is any free one', async () => {
    const run = await started();
    const [, port] = /127\.0\.0\.1:(\d+)/.exec(run.stdout()) ?? [];
    for (const pid of Object.values(pidsNow())) expect(await environmentOf(pid)).to.include(`MUSTER_PORT=${port}`);
  });

  async function stopsInReverse(run: Run, signal: NodeJS.Signals): Promise<void> {
    run.process.kill(signal);
    run.process.kill(signal);
    expect(await run.ended).to.equal(0);
    expect(events().slice(3)).to.deep.equal(['stop gateway', 'stop host', 'stop registry']);
    expect(existsSync(join(place.path, 'run/nats-server.pid'))).to.equal(false);
  }

  async function refusesASecond(first: Run): Promise<void> {
    const second = start();
    expect(await second.ended).to.equal(70);
    expect(second.stderr()).to.include('failed_precondition').and.to.include(`process ${first.process.pid} `);
    expect(events()).to.have.length(3);
  }

  inSoak('stops in reverse on SIGHUP', async () => stopsInReverse(await started(), 'SIGHUP'));

  inSoak('stops within ten seconds if a member hangs, and the others in order', async () => {
    const run = await started({ FAKE_HOST: 'hang', FAKE_GATEWAY: 'stumble' });
    const asked = performance.now();
    run.process.kill('SIGINT');
    expect(await run.ended).to.equal(0);
    expect(performance.now() - asked).to.be.below(10_000);
    expect(events().slice(3)).to.deep.equal(['stop gateway', 'stop registry']);
  });

  it('restarts a killed member and the bus, cleans up after a kill -9, and starts again', async () => {
    const first = await started();
    const { registry = 0 } = pidsNow();
    const bus = nats();
    process.kill(registry, 'SIGKILL');
    process.kill(bus, 'SIGKILL');
    await moment('both run again', () => pidsNow()['registry'] !== registry && nats() !== bus && nats() !== 0);
    await moment('the new bus runs', async () => runsStill(nats()));
    const before = pidsNow();
    first.process.kill('SIGKILL');
    await first.ended;
    await started();
    for (const pid of Object.values(before)) expect(await runsStill(pid)).to.equal(false);
    expect(Object.values(pidsNow())).to.have.length(3).and.not.to.include.members(Object.values(before));
  });

  inSoak('leaves no member behind after a kill: each notices that its parent is gone', async () => {
    const run = await started();
    run.process.kill('SIGKILL');
    await run.ended;
    for (const pid of [...Object.values(pidsNow()), nats()])
      await moment(`${pid} is gone`, async () => !(await runsStill(pid)));
    expect(events().filter((event) => event.startsWith('stop'))).to.have.members([
      'stop registry',
      'stop host',
      'stop gateway',
    ]);
  });

  inSoak('continues with the other members if one ends repeatedly, and keeps retrying', async () => {
    const run = await started({ FAKE_GATEWAY: 'throw' });
    await moment('it is told', () => run.stderr().includes('a child process keeps ending'));
    expect(run.process.exitCode).to.equal(null);
    expect(run.stderr()).to.include('an uncaught exception').and.to.include('nobody catches this');
    expect(events().filter((event) => event.endsWith('registry') || event.endsWith('host'))).to.deep.equal([
      'start registry',
      'start host',
    ]);
    const [check] = await checkUnhandled(join(place.path, 'logs'), 'gateway');
    expect(check).to.deep.include({ name: 'errors of gateway', outcome: 'warn' });
    expect(check?.found).to.match(/nobody catches this at .*fake-member\.ts:\d+.*, \d+ times/);
  });

  inSoak('continues if a promise of a member was rejected and nobody waits for it, and reports it', async () => {
    const run = await started({ FAKE_HOST: 'forget' });
    await moment('it is told', () => run.stderr().includes('an error that nobody handled'));
    const [check] = await checkUnhandled(join(place.path, 'logs'));
    expect(check).to.deep.include({ name: 'errors of host', outcome: 'warn' });
    expect(check?.found).to.match(/nobody waits for this at .*fake-member\.ts:\d+/);
    run.process.kill('SIGTERM');
    await run.ended;
    expect(events().filter((event) => event.endsWith('host'))).to.deep.equal(['start host', 'stop host']);
  });

  it('refuses with the reason if a member cannot start, and leaves nothing running', async () => {
    const run = start({ FAKE_HOST: 'fail' });
    expect(await run.ended).to.equal(70);
    expect(run.stderr())
      .to.include('the database is broken')
      .and.to.include('host ended before it was ready (status 1)');
    expect(events()).to.deep.equal(['start registry', 'stop registry']);
  });

  for (const host of someOf(['127.0.0.1', '::1'])) {
    it(`refuses a taken port on ${host}, before any member runs`, async function () {
      if (!Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === host))) this.skip();
      const other = createServer().listen(0, host);
      await once(other, 'listening');
      const address = other.address();
      const port = typeof address === 'object' && address !== null ? String(address.port) : '';
      const run = start({ MUSTER_PORT: port });
      expect(await run.ended).to.equal(70);
      expect(run.stderr())
        .to.include(`failed_precondition: Port ${port} on ${host} is in use`)
        .and.to.include('MUSTER_PORT');
      expect(events()).to.deep.equal([]);
      other.close();
    });
  }

  inSoak('stops a start in progress on Ctrl-C', async () => {
    const run = start();
    await moment('the registry runs', () => events().includes('start registry'));
    run.process.kill('SIGINT');
    expect(await run.ended).to.equal(0);
    expect(run.stdout()).to.equal('');
  });

  inSoak('joins the bus that MUSTER_BUS_URL names instead of bringing one', async () => {
    const other = temporaryFolder('bus');
    const { startNatsServer } = await import('#test/bus/nats-fixture.ts');
    const { writePrivateFile } = await import('#world/file/private-file.ts');
    const bus = await startNatsServer(other.path);
    const keys = join(other.path, 'bus.keys');
    writePrivateFile(keys, JSON.stringify(bus.keys));
    const run = await started({ MUSTER_BUS_URL: bus.url, MUSTER_BUS_KEYS: keys });
    expect(nats()).to.equal(0);
    run.process.kill('SIGINT');
    expect(await run.ended).to.equal(0);
    expect(await runsStill(bus.pid)).to.equal(true);
    await bus.stop(2_000);
    other.remove();
  });
});
