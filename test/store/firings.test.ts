import { expect } from 'chai';
import { newFiring } from '#actors/registry/schedule/firings.ts';
import type { StoredFiring } from '#store/schedule/firing-entity.ts';
import type { NewFiring } from '#store/schedule/firing-table.ts';
import type { Tables } from '#store/tables.ts';
import { type StoreFixture, storeFixture } from './store-fixture.ts';

const minute = 60_000;
const skipped = { state: 'cancelled', maxAttempts: 3, until: null, message: "it's {\"no\": 'use'}" } as const;
const waiting = { ...skipped, state: 'available', message: '' } as const;

/** A firing of an occurrence this many minutes after 1970. */
const firing = (at: number, schedule = 'sch_1', input: typeof skipped | typeof waiting = skipped): NewFiring =>
  newFiring(schedule, at * minute, input, at * minute);

describe('stored firings', () => {
  let fixture: StoreFixture;
  beforeEach(async () => {
    fixture = await storeFixture();
  });
  afterEach(() => fixture.close());

  const insert = (...firings: readonly NewFiring[]) =>
    fixture.store.write(({ instances }) =>
      instances.begin(
        'firing',
        firings.map((row) => ({ row })),
      ),
    );
  const write = ({ instances }: Tables, before: StoredFiring, columns: Partial<StoredFiring>) =>
    instances.commit({ machine: 'firing', before, snapshot: before.snapshot, columns });
  const minutes = async (schedule = 'sch_1') =>
    (await fixture.store.read(({ firings }) => firings.page(schedule, undefined, 5_000))).map(
      ({ scheduledFor }) => scheduledFor / minute,
    );

  it('are unique per schedule and occurrence over repeated writes', async () => {
    expect(await insert(firing(1), firing(2), firing(1))).to.have.length(2);
    const again = await insert(firing(1), firing(3), firing(2, 'sch_2'));
    expect(again.map(({ schedule, scheduledFor }) => `${schedule} ${scheduledFor / minute}`)).to.deep.equal([
      'sch_1 3',
      'sch_2 2',
    ]);
    expect(await minutes()).to.deep.equal([3, 2, 1]);
    expect(await insert()).to.deep.equal([]);
  });

  it('are refused by the database itself for an existing occurrence', async () => {
    await insert(firing(1), firing(2));
    const twice = fixture.store.write(async (tables) => {
      const [second] = await tables.firings.page('sch_1', undefined, 1);
      if (second) await write(tables, second, { scheduledFor: minute });
    });
    expect(await twice.catch(String)).to.match(
      /UNIQUE constraint failed|duplicate key value violates unique constraint/,
    );
  });

  it('are read as written, thousands at once too', async () => {
    await insert(...Array.from({ length: 2_500 }, (_, at) => firing(at)));
    expect(await minutes()).to.deep.equal(Array.from({ length: 2_500 }, (_, at) => 2_499 - at));
    const [newest] = await fixture.store.read(({ firings }) => firings.page('sch_1', undefined, 1));
    expect(newest).to.deep.equal({ id: 2_500, version: 1, ...firing(2_499) });
  });

  it('are read in slices if they are due ahead, each once, even while their times change', async () => {
    await insert(firing(9), ...Array.from({ length: 5 }, (_, at) => firing(at, 'sch_1', waiting)));
    await fixture.store.write(async (tables) => {
      for (const found of await tables.firings.inState('available', 5)) {
        await write(tables, found, { dueAt: minute * found.id });
      }
    });
    const seen = await fixture.store.write(async (tables) => {
      const ids: number[] = [];
      for await (const one of tables.firings.ahead(0, 2)) {
        ids.push(one.id);
        await write(tables, one, { dueAt: (one.dueAt ?? 0) + minute });
      }
      return ids;
    });
    expect(seen).to.deep.equal([2, 3, 4, 5, 6]);
  });

  it('are pruned beyond a number per schedule, and by age, but never before they ended', async () => {
    await insert(firing(1, 'sch_1', waiting), firing(2), firing(3), firing(4), firing(1, 'sch_2'));
    await fixture.store.write(({ firings }) => firings.keep('sch_1', 2));
    expect(await minutes()).to.deep.equal([4, 3, 1]);
    expect(await minutes('sch_2')).to.deep.equal([1]);
    expect(await fixture.store.write(({ firings }) => firings.prune(4 * minute, 10))).to.equal(2);
    expect(await minutes()).to.deep.equal([4, 1]);
  });
});
