import { expect } from 'chai';
import { Poller } from '#actors/worker/poller.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import type { WorkScope } from '#actors/worker/work-scope.ts';
import { silent } from '#test/actors/actor-fixture.ts';
import { refusalWith } from '#test/support/failure.ts';
import { type TestTimer, testTimer } from '#test/support/test-timer.ts';

const every = 1_000;

describe('a poller', () => {
  let timer: TestTimer;
  /** What was logged, each with its level. */
  let logged: string[];
  let scope: WorkScope;
  let work: WorkFigures;
  let poller: Poller;
  /** When each run began, in milliseconds since the start. */
  let begun: number[];
  /** What a pass does. */
  let body: (signal: AbortSignal) => Promise<void>;

  beforeEach(() => {
    timer = testTimer();
    logged = [];
    work = new WorkFigures();
    const at = (level: string) => (_: unknown, said?: string) => void logged.push(`${level}: ${said}`);
    scope = { timer, work, log: { ...silent, info: at('info'), warn: at('warn'), error: at('error') } };
    begun = [];
    body = async () => undefined;
    const start = timer.now();
    const pass = (signal: AbortSignal): Promise<void> => {
      begun.push(timer.now() - start);
      return body(signal);
    };
    // The timer begins at such a moment, so pauses are as long as they are named.
    poller = new Poller({ name: 'test', every, pass }, scope, 0);
  });
  afterEach(() => poller.stop());

  it('makes a pass at the start, and one after each pause', async () => {
    poller.start().start();
    await timer.pass(0);
    await timer.pass(2_500);
    expect(begun).to.deep.equal([0, 1_000, 2_000]);
    expect(work.pollers()['test']).to.deep.include({ faults: 0 });
    expect(work.pollers()['test']?.passes.count).to.equal(3);
  });

  it('wakes at the same moments as the others of its process, and at other ones than those of another process', async () => {
    const passes: string[] = [];
    const start = timer.now();
    const noted = (name: string, phase: number, pause: number): Poller =>
      new Poller(
        { name, every: pause, pass: async () => void passes.push(`${name} ${timer.now() - start}`) },
        scope,
        phase,
      ).start();
    const pollers = [noted('own', 0, every)];
    await timer.pass(110);
    pollers.push(noted('beside', 0, every), noted('other', 50, every), noted('short', 0, 10));
    await timer.pass(20);
    await pollers.pop()?.stop();
    expect(passes.filter((pass) => pass.startsWith('short')).length, 'a shorter pause stays short').to.equal(2);
    passes.length = 0;
    await timer.pass(2_000);
    expect(passes).to.deep.equal(['own 1000', 'beside 1000', 'other 1050', 'own 2000', 'beside 2000', 'other 2050']);
    await Promise.all(pollers.map((one) => one.stop()));
  });

  it('runs immediately when woken, and never twice concurrently', async () => {
    const gate = Promise.withResolvers<void>();
    poller.start();
    await timer.pass(0);
    await timer.pass(100);
    body = () => gate.promise;
    poller.wake();
    await timer.pass(0);
    await timer.pass(100);
    for (let times = 0; times < 3; times += 1) poller.wake();
    await timer.pass(100);
    expect(begun).to.deep.equal([0, 100]);
    body = async () => undefined;
    gate.resolve();
    await timer.pass(0);
    expect(begun, 'one pass for all three words').to.deep.equal([0, 100, 300]);
  });

  it('gathers wakes, so that they share a pass', async () => {
    const pass = async (): Promise<void> => void begun.push(timer.now());
    const gathering = new Poller({ name: 'gathering', every, gatherMs: 50, pass }, scope, 0).start();
    await timer.pass(100);
    for (let times = 0; times < 3; times += 1) gathering.wake();
    await timer.pass(40);
    gathering.wake();
    expect(begun, 'it waits').to.have.length(1);
    await timer.pass(10);
    expect(begun, 'one pass for all').to.have.length(2);
    gathering.wake();
    await gathering.stop();
    await timer.pass(100);
    expect(begun, 'none after the stop').to.have.length(2);
  });

  it('finishes the pass in progress when it is stopped, and starts no other', async () => {
    const gate = Promise.withResolvers<void>();
    let told = false;
    body = async (signal) => {
      signal.addEventListener('abort', () => {
        told = true;
      });
      await gate.promise;
      signal.throwIfAborted();
    };
    poller.start();
    await timer.pass(0);
    let isStopped = false;
    const stopping = poller.stop().then(() => {
      isStopped = true;
    });
    await timer.pass(10);
    expect([told, isStopped]).to.deep.equal([true, false]);
    gate.resolve();
    await stopping;
    poller.wake();
    await timer.pass(5_000);
    expect(begun).to.deep.equal([0]);
    expect(work.pollers()['test']?.faults, 'a stop is no fault').to.equal(0);
  });

  it('can be stopped before its start and twice, and started again', async () => {
    await poller.stop();
    poller.start();
    await timer.pass(0);
    await timer.pass(100);
    await Promise.all([poller.stop(), poller.stop()]);
    poller.start();
    await timer.pass(0);
    await timer.pass(100);
    expect(begun).to.deep.equal([0, 100]);
  });

  it('retries a transient fault soon, then with growing pauses, even if woken', async () => {
    body = async () => {
      throw refusalWith('unavailable', 'the database is away');
    };
    poller.start();
    await timer.pass(0);
    for (let steps = 0; steps < 170; steps += 1) {
      await timer.pass(100);
      poller.wake();
    }
    expect(begun).to.deep.equal([0, 500, 1_500, 3_500, 7_500, 12_500]);
    expect(work.pollers()['test']?.faults).to.equal(6);
    expect(logged, 'told once').to.deep.equal(['warn: a poller failed and retries until it works']);
    body = async () => undefined;
    await timer.pass(2_000);
    expect(logged.slice(1)).to.deep.equal(['info: a poller works again']);
    expect(begun.slice(6)).to.deep.equal([17_500, 18_500]);
  });

  it('does not hurry after another fault, and logs each', async () => {
    body = async () => {
      throw new Error('a mistake');
    };
    poller.start();
    await timer.pass(0);
    await timer.pass(3_500);
    expect(begun).to.deep.equal([0, 1_000, 2_000]);
    expect(logged).to.deep.equal(Array(3).fill('error: a run of a poller failed'));
  });
});
