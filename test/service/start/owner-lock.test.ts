import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { takeOwnerLock } from '#service/owner-lock.ts';
import { failureOf } from '../../support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '../../support/temporary-folder.ts';

const holderProgram = fileURLToPath(new URL('./lock-holder.ts', import.meta.url));

describe('owner lock', () => {
  let place: TemporaryFolder;
  let holder: ChildProcess | undefined;
  beforeEach(() => {
    place = temporaryFolder('lock');
  });
  afterEach(async () => {
    if (holder?.exitCode === null && holder.signalCode === null) await end('SIGKILL');
    place.remove();
  });

  const take = (name: string) => takeOwnerLock({ home: place.path, run: place.path }, name);

  async function hold(name = 'start'): Promise<ChildProcess> {
    holder = fork(holderProgram, [place.path, name], { execArgv: ['--expose-gc'] });
    await once(holder, 'message');
    return holder;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    const exited = holder && once(holder, 'exit');
    holder?.kill(signal);
    await exited;
  }

  it('refuses a second holder within two seconds, naming the first and the remedy', async () => {
    const { pid } = await hold();
    const started = performance.now();
    const { code, message } = await failureOf(() => take('start'));
    expect(performance.now() - started).to.be.below(2_000);
    expect(code).to.equal('failed_precondition');
    expect(message).to.match(new RegExp(`process ${pid} on ${hostname()}, since \\d{4}-\\d\\d-\\d\\dT.*Z `));
    expect(message).to.include(holderProgram).and.to.include(place.path);
    expect(message).to.include(`kill ${pid}`).and.to.include('MUSTER_HOME');
  });

  it('lasts as long as its holder, also if nothing there refers to it', async () => {
    const { pid } = await hold();
    for (let round = 0; round < 3; round += 1) {
      const collected = holder && once(holder, 'message');
      holder?.send('collect');
      await collected;
    }
    expect((await failureOf(() => take('start'))).message).to.include(`process ${pid} `);
  });

  it('is free at once after its holder was killed', async () => {
    for (let round = 0; round < 3; round++) {
      await hold();
      await end('SIGKILL');
      take('start').release();
    }
  });

  it('is free after a release, which may come twice', () => {
    const first = take('start');
    first.release();
    first.release();
    take('start').release();
  });

  it('is exclusive within one process too', async () => {
    const first = take('start');
    expect((await failureOf(() => take('start'))).message).to.include(`process ${process.pid} `);
    first.release();
  });

  it('is separate for each name', async () => {
    await hold('start');
    take('registry').release();
  });

  it('waits for a holder that is about to end', async () => {
    await hold();
    const exited = end('SIGTERM');
    take('start').release();
    await exited;
  });
});
