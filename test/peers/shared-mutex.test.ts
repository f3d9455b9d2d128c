import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { withSharedMutex } from '#actors/registry/peer/shared-mutex.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { openStore, type Store } from '#store/store.ts';
import type { TestDatabase } from '#test/store/test-database.ts';
import { moment } from '#test/support/moment.ts';
import { engineOn, postgresDatabase } from '#test/support/postgres/postgres-database.ts';
import { startPostgres } from '#test/support/postgres/postgres-server.ts';
import { testClock } from '#test/support/test-clock.ts';
import { systemTimer } from '#world/concurrency/timer.ts';

const holder = fileURLToPath(new URL('./lock-holder.ts', import.meta.url));

describe('a mutex of two registries', () => {
  const clock = testClock();
  let database: TestDatabase;
  let stores: readonly Store[];

  beforeEach(async () => {
    database = await postgresDatabase();
    stores = await Promise.all([1, 2].map(() => openStore({ engine: database.engine(), clock, viewOf })));
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await database.drop();
  });

  it('lets one begin once the other has ended, and blocks no work of another name', async () => {
    const [one, other] = stores as [Store, Store];
    const first = Promise.withResolvers<void>();
    const begun: string[] = [];
    const atOne = withSharedMutex(one, 'cut a', async () => {
      begun.push('one');
      await first.promise;
    });
    await moment('the first has begun', () => begun.length === 1);
    const atOther = withSharedMutex(other, 'cut a', async () => void begun.push('other'));
    await withSharedMutex(other, 'cut b', async () => void begun.push('beside'));
    expect(begun).to.deep.equal(['one', 'beside']);
    first.resolve();
    await Promise.all([atOne, atOther]);
    expect(begun).to.deep.equal(['one', 'beside', 'other']);
  });

  it('passes from a dead registry once its lease has ended', async () => {
    const [one, other] = stores as [Store, Store];
    await one.write(({ leases }) => leases.take('cut a', { holder: 'dead' }, 10_000));
    let isDone = false;
    const work = withSharedMutex(other, 'cut a', async () => {
      isDone = true;
    });
    await withSharedMutex(other, 'cut b', async () => {});
    expect(isDone).to.equal(false);
    clock.pass(10_000);
    await work;
  });
});

describe('a mutex whose registry is killed', () => {
  it('passes on within four seconds, and not while the lock is renewed', async () => {
    const server = await startPostgres();
    await server.execute('postgres', 'create database shared');
    const store = await openStore({ engine: engineOn(server, 'shared'), clock: systemTimer, viewOf });
    const child = spawn(process.execPath, [holder, server.socket, 'shared', 'cut a'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(child.stdout, 'data');
      const endsAt = async () => (await store.read(({ leases }) => leases.heldUnder('cut a')))[0]?.endsAt ?? 0;
      const first = await endsAt();
      await moment('it was renewed', async () => (await endsAt()) > first);
      let begunAt = 0;
      const work = withSharedMutex(store, 'cut a', async () => {
        begunAt = systemTimer.now();
      });
      await moment('it was renewed, although another one tries', async () => (await endsAt()) > first + 2_000);
      expect(begunAt).to.equal(0);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const killedAt = systemTimer.now();
      const end = await endsAt();
      expect(end - killedAt, 'what is left of the lock').to.be.at.most(4_000);
      await work;
      expect(begunAt).to.be.at.least(end);
    } finally {
      child.kill('SIGKILL');
      await store.close();
      server.remove();
    }
  });
});
