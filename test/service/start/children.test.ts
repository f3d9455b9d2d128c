import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Supervisor } from '#service/children.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import type { Timer } from '#world/concurrency/timer.ts';
import { openLog } from '#world/log.ts';
import { type ChildSpec, launchChild } from '#world/process/child-process.ts';
import { findProcess } from '#world/process/process-tree.ts';
import { failureOf } from '../../support/failure.ts';
import { moment } from '../../support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const program = fileURLToPath(new URL('./fake-child.ts', import.meta.url));
type Behaviour = 'good' | 'stubborn' | 'silent' | 'crash' | 'short';

describe('supervisor of child processes', () => {
  let place: TemporaryFolder;
  let supervisor: Supervisor;

  beforeEach(() => {
    place = temporaryFolder('children');
    writeFileSync(join(place.path, 'events'), '');
    supervisor = supervise();
  });
  afterEach(async () => {
    await supervisor.stop();
    place.remove();
  });

  function supervise(stopWithin = 2_000): Supervisor {
    const log = openLog({ name: 'test', level: 'silent' });
    return new Supervisor({ log, stopWithin, pause: 1 });
  }

  function child(name: string, behaviour: Behaviour = 'good', readyWithin = 5_000): ChildSpec {
    const argv = [process.execPath, program, name, join(place.path, 'events'), behaviour] as const;
    return { name, argv, env: {}, readiness: 'message', readyWithin, pidFile: join(place.path, `${name}.pid`) };
  }

  /** What the children did, such as `start a`, without their ids. */
  const events = (): string[] => lines().map((line) => line.split(' ').slice(0, 2).join(' '));
  const pids = (name: string): number[] =>
    lines()
      .filter((line) => line.startsWith(`start ${name} `))
      .map((line) => Number(line.split(' ')[2]));
  function lines(): string[] {
    return readFileSync(join(place.path, 'events'), 'utf8').split('\n').filter(Boolean);
  }

  it('starts in order, passes on a child’s address, and stops in reverse', async () => {
    for (const name of ['a', 'b', 'c']) {
      const running = await supervisor.start(child(name));
      expect(running.url).to.equal(`http://${name}`);
      expect(await findProcess(running.pid)).not.to.equal(undefined);
    }
    await supervisor.stop();
    expect(events()).to.deep.equal(['start a', 'start b', 'start c', 'term c', 'term b', 'term a']);
    expect(existsSync(join(place.path, 'a.pid'))).to.equal(false);
  });

  it('stops twice, and before any start', async () => {
    const first = supervisor.stop();
    await Promise.all([first, supervisor.stop()]);
    expect((await failureOf(() => supervisor.start(child('a')))).code).to.equal('canceled');
    expect(events()).to.deep.equal([]);
  });

  it('restarts a killed child, and leaves the others alone', async () => {
    await supervisor.start(child('a'));
    const { pid } = await supervisor.start(child('b'));
    process.kill(pid, 'SIGKILL');
    await moment('b runs again', () => pids('b').length === 2);
    expect(pids('a')).to.have.length(1);
  });

  it('restarts a child after any number of ends, with growing pauses, and leaves the others alone', async () => {
    const pauses: number[] = [];
    let now = 0;
    const clock: Timer = {
      now: () => now,
      sleep: async (ms) => {
        pauses.push(ms);
        now += ms;
      },
    };
    const log = logProbe();
    supervisor = new Supervisor({ log, clock });
    await supervisor.start(child('a'));
    await supervisor.start(child('b', 'short'));
    await moment('it was started again ten times', () => pauses.length >= 10);
    expect(pauses.slice(0, 10)).to.deep.equal([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(log.lines.filter((line) => line.includes('keeps ending'))[0])
      .to.include('"child":"b"')
      .and.to.include('status 4');
    expect(pids('a')).to.have.length(1);
    expect(events()).not.to.include('term a');
  });

  it('resets the restarts of a child that has run for a minute', async () => {
    const pauses: number[] = [];
    let now = 0;
    const clock: Timer = {
      now: () => now,
      sleep: async (ms) => void pauses.push(ms),
    };
    const log = logProbe();
    supervisor = new Supervisor({ log, clock });
    const readied = () => log.lines.filter((line) => line.startsWith('a child process is ready')).length;
    await supervisor.start(child('a'));
    for (const [ran, pause] of [
      [0, 250],
      [0, 500],
      [60_000, 250],
    ] as const) {
      now += ran;
      const before = readied();
      process.kill(pids('a').at(-1) ?? 0, 'SIGKILL');
      await moment('it is ready again', () => readied() > before);
      expect(pauses.at(-1)).to.equal(pause);
    }
  });

  it('refuses a child that ends early, is never ready, or cannot be started', async () => {
    const crash = await failureOf(() => supervisor.start(child('a', 'crash')));
    expect(crash.message).to.equal('a ended before it was ready (status 3)');
    const silent = await failureOf(() => supervisor.start(child('b', 'silent', 300)));
    expect(silent.message).to.equal('b was not ready within 300 ms');
    const nobody = await failureOf(() => supervisor.start({ ...child('c'), argv: ['/no/such/program'] }));
    expect(nobody.message).to.include('/no/such/program cannot be started');
    expect([crash.code, silent.code, nobody.code]).to.deep.equal(['unavailable', 'unavailable', 'unavailable']);
    expect(pids('a'), 'it is not tried again').to.have.length(1);
    for (const pid of pids('b')) expect(await findProcess(pid)).to.equal(undefined);
  });

  it('stops a start in progress', async () => {
    const refused = failureOf(() => supervisor.start(child('a', 'silent')));
    const [pid = 0] = await moment('a runs', () => (pids('a').length > 0 ? pids('a') : undefined));
    await supervisor.stop();
    expect((await refused).code).to.equal('canceled');
    expect(await findProcess(pid)).to.equal(undefined);
  });

  it('kills a child that ignores the stop, without reducing the others’ time', async () => {
    supervisor = supervise(600);
    await supervisor.start(child('a'));
    const { pid } = await supervisor.start(child('b', 'stubborn'));
    const started = performance.now();
    await supervisor.stop();
    expect(performance.now() - started).to.be.below(1_500);
    expect(events().slice(-2)).to.deep.equal(['term b', 'term a']);
    expect(await findProcess(pid)).to.equal(undefined);
  });

  it('ends survivors of an earlier parent before it starts the next child', async () => {
    const survivor = await launchChild({ ...child('a'), pidFile: join(place.path, 'unseen.pid') });
    writeFileSync(join(place.path, 'a.pid'), readFileSync(join(place.path, 'unseen.pid')));
    await supervisor.start(child('a'));
    expect(events()).to.deep.equal(['start a', 'term a', 'start a']);
    expect(await survivor.exited).to.deep.equal({ status: 0, signal: null });
  });

  it('spares an unrelated process with a child’s recorded id', async () => {
    const notNats = await launchChild({ ...child('a'), pidFile: join(place.path, 'a.pid') });
    const note = JSON.parse(readFileSync(join(place.path, 'a.pid'), 'utf8'));
    for (const [name, other] of [
      ['b', { ...note, started: '1' }],
      ['c', { ...note, argv: ['vi'] }],
      ['d', { pid: 1, started: '1', argv: [] }],
    ] as const) {
      writeFileSync(join(place.path, `${name}.pid`), JSON.stringify(other));
      await supervisor.start(child(name));
    }
    expect(events()).not.to.include('term a');
    await notNats.stop(1_000);
  });
});
