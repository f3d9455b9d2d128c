import { expect } from 'chai';
import { holderOf } from '#actors/registry/peer/holder.ts';
import { Peers } from '#actors/registry/peer/peers.ts';
import { WorkFigures } from '#actors/worker/work-figures.ts';
import type { Failure } from '#contract/failure.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { openStore, type Store } from '#store/store.ts';
import { logProbe } from '#test/bus/log-probe.ts';
import type { TestDatabase } from '#test/store/test-database.ts';
import { moment } from '#test/support/moment.ts';
import { postgresDatabase } from '#test/support/postgres/postgres-database.ts';
import { type TestClock, testClock } from '#test/support/test-clock.ts';

const bus = { connected: true };

describe('registries that share a database', () => {
  let database: TestDatabase;
  let clock: TestClock;
  let stores: Store[];
  let running: Peers[];

  beforeEach(async () => {
    database = await postgresDatabase();
    clock = testClock();
    stores = [];
    running = [];
  });
  afterEach(async () => {
    for (const peers of running) await peers.stop();
    for (const store of stores) await store.close();
    await database.drop();
  });

  const peersOf = async (installation: string, startedAt: number) => {
    const store = await openStore({ engine: database.engine(), clock, viewOf });
    stores.push(store);
    const holder = holderOf(installation, `/home/${startedAt}`, startedAt);
    // Pauses between looks are real; what is judged goes by a clock that the test moves.
    const timer = { now: () => clock.now(), sleep: (_ms: number, signal?: AbortSignal) => tick(signal) };
    const peers = new Peers({ store, bus, holder, timer, log: logProbe(), work: new WorkFigures() });
    running.push(peers);
    await peers.join();
    return { peers, holder };
  };

  it('know each other from the start, and until one leaves', async () => {
    const first = await peersOf('one', 1_000);
    const second = await peersOf('one', 2_000);
    expect(second.peers.others).to.deep.equal([first.holder]);
    expect(await first.peers.includes(second.holder)).to.equal(true);
    await first.peers.join();
    await second.peers.stop();
    await first.peers.join();
    expect(first.peers.others).to.deep.equal([]);
    expect(await first.peers.includes(second.holder)).to.equal(false);
  });

  it('count as dead 6 s after their last sign of life', async () => {
    const first = await peersOf('one', 1_000);
    const second = await peersOf('one', 2_000);
    clock.pass(5_900);
    await second.peers.join();
    expect(second.peers.others).to.deep.equal([first.holder]);
    clock.pass(200);
    await second.peers.join();
    expect(second.peers.others).to.deep.equal([]);
  });

  it('have one leader, and another one once its lease has ended; it stops relying on the lease a second before', async () => {
    const first = await peersOf('one', 1_000);
    const second = await peersOf('one', 2_000);
    expect([first.peers.leads, second.peers.leads]).to.deep.equal([true, false]);
    clock.pass(4_999);
    expect(first.peers.leads).to.equal(true);
    clock.pass(1);
    expect(first.peers.leads).to.equal(false);
    await second.peers.join();
    expect(second.peers.leads).to.equal(false);
    clock.pass(1_001);
    await second.peers.join();
    expect([first.peers.leads, second.peers.leads]).to.deep.equal([false, true]);
  });

  it('exclude those of another installation, and of a copy of the database', async () => {
    const first = await peersOf('one', 1_000);
    expect(await first.peers.includes(holderOf('two', '/x', 3_000))).to.equal(false);
    expect(await first.peers.includes(holderOf('one', '/copy', 3_000))).to.equal(false);
  });

  it('end if one is on a different bus for a minute: the younger one, and none if they have met', async () => {
    const lost: Failure[] = [];
    const first = await peersOf('one', 1_000);
    const second = await peersOf('one', 2_000);
    const third = await peersOf('one', 3_000);
    third.peers.see(first.holder);
    third.peers.see(second.holder);
    first.peers.start((why) => void lost.push(why));
    second.peers.start((why) => void lost.push(why));
    third.peers.start((why) => void lost.push(why));
    for (let seconds = 0; seconds < 62; seconds += 2) {
      clock.pass(2_000);
      await Promise.all([first, second, third].map(({ peers }) => peers.join()));
    }
    await moment('the second gives up', () => lost.length > 0);
    expect(new Set(lost.map(({ reason }) => reason))).to.deep.equal(new Set(['BUS_DIVIDED']));
    expect(lost[0]?.message).to.include('/home/1000').and.to.include('This one is').and.to.include('/home/2000');
  });
});

/** Resolves in a moment, or rejects when the signal is aborted. */
function tick(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 10);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
