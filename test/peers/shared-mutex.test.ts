import { expect } from 'chai';
import { withSharedMutex } from '#actors/registry/peer/shared-mutex.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { openStore, type Store } from '#store/store.ts';
import type { TestDatabase } from '#test/store/test-database.ts';
import { moment } from '#test/support/moment.ts';
import { postgresDatabase } from '#test/support/postgres/postgres-database.ts';
import { testClock } from '#test/support/test-clock.ts';

describe('work that two registries do one at a time', function () {
  this.timeout(60_000);
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

  it('begins at one once the other has ended it, and is not held up by work of another name', async () => {
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

  it('is taken over from a registry that died, once its lease has ended', async () => {
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
