import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { openToRead } from '#store/sqlite/native-database.ts';
import { ReadSnapshots } from '#store/sqlite/read-snapshots.ts';
import type { SqliteTransaction } from '#store/sqlite/sqlite-transaction.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('what reads see of a database whose log is synced apart', () => {
  let folder: TemporaryFolder;
  let writer: Database;
  let reader: Database;
  let snapshots: ReadSnapshots;

  beforeEach(() => {
    folder = temporaryFolder('snapshots');
    const file = join(folder.path, 'some.db');
    writer = new Database(file);
    writer.pragma('journal_mode = WAL');
    writer.exec('create table one (value integer); insert into one values (0)');
    reader = openToRead(file);
    snapshots = new ReadSnapshots(reader);
  });
  afterEach(() => {
    snapshots.close();
    writer.close();
    folder.remove();
  });

  const commit = (value: number): void => writer.exec(`update one set value = ${value}`);
  const checkpoint = () => writer.prepare('pragma wal_checkpoint(truncate)').all([])[0];
  const valueIn = async (transaction: SqliteTransaction): Promise<unknown> =>
    (await transaction.run({ sql: 'select value from one', parameters: [] })).rows[0]?.['value'];
  const value = async (): Promise<unknown> => {
    const transaction = snapshots.begin();
    const found = await valueIn(transaction);
    transaction.commit();
    return found;
  };

  it('is a commit only once it is synced', async () => {
    commit(1);
    expect(await value()).to.equal(1);
    snapshots.keepStored();
    commit(2);
    expect(await value()).to.equal(1);
    snapshots.synced();
    expect(await value()).to.equal(2);
  });

  it('is what each sync has covered, while the next commits wait for theirs', async () => {
    snapshots.keepStored();
    commit(1);
    // A sync of 1 begins.
    snapshots.keepSyncing();
    commit(2);
    commit(3);
    expect(await value()).to.equal(0);
    snapshots.synced();
    expect(await value()).to.equal(1);
    // A sync of 2 and 3 begins.
    snapshots.keepSyncing();
    commit(4);
    expect(await value()).to.equal(1);
    snapshots.synced();
    expect(await value()).to.equal(3);
    snapshots.synced();
    expect(await value()).to.equal(4);
  });

  it('does not change within a read', async () => {
    snapshots.keepStored();
    commit(1);
    const reading = snapshots.begin();
    expect(await valueIn(reading)).to.equal(0);
    snapshots.synced();
    expect(await valueIn(reading)).to.equal(0);
    reading.commit();
    expect(await value()).to.equal(1);
  });

  it('is fixed when a read begins', async () => {
    const reading = snapshots.begin();
    snapshots.keepStored();
    commit(1);
    expect(await valueIn(reading)).to.equal(0);
    reading.commit();
    expect(await value()).to.equal(0);
  });

  it('is everything again if the commit fails', async () => {
    const undo = snapshots.keepStored();
    undo();
    commit(1);
    expect(await value()).to.equal(1);
    snapshots.keepStored();
    commit(2);
    const undoNext = snapshots.keepSyncing();
    undoNext();
    snapshots.synced();
    commit(3);
    expect(await value()).to.equal(3);
  });

  it('keeps no transaction open that a checkpoint would wait for', async () => {
    snapshots.keepStored();
    commit(1);
    snapshots.keepSyncing();
    commit(2);
    await value();
    snapshots.synced();
    snapshots.synced();
    await value();
    await turn();
    expect(checkpoint(), 'after the turn of the last read').to.include({ busy: 0, log: 0 });
    commit(3);
    await value();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const running = snapshots.during(() => over);
    expect(checkpoint(), 'one that begins in that turn').to.include({ busy: 0, log: 0 });
    commit(4);
    await value();
    expect(checkpoint(), 'and after a read meanwhile').to.include({ busy: 0, log: 0 });
    end();
    await running;
  });

  it('is the same for all reads of a turn, whatever another program writes, and new in the next turn', async () => {
    expect(await value()).to.equal(0);
    commit(1);
    expect(await value()).to.equal(0);
    expect(reader.inTransaction).to.equal(true);
    await turn();
    expect(reader.inTransaction).to.equal(false);
    expect(await value()).to.equal(1);
  });

  it('stays what it was at the first read of a turn until the next commit is synced', async () => {
    expect(await value()).to.equal(0);
    snapshots.keepStored();
    commit(1);
    expect(await value()).to.equal(0);
    await turn();
    expect(await value(), 'the turn does not end what a commit keeps').to.equal(0);
    snapshots.synced();
    expect(await value()).to.equal(1);
  });

  it('is read by the next read in spite of a fault that ended the transaction of the last one', async () => {
    const fail = (): void => {
      const reading = snapshots.begin();
      reader.exec('rollback');
      expect(() => reading.commit()).to.throw(/ended/);
      reading.rollback();
    };
    fail();
    expect(await value()).to.equal(0);
    fail();
    snapshots.keepStored();
    commit(1);
    expect(await value(), 'also after the next commit').to.equal(0);
  });

  it('stays until the last of several reads has ended', async () => {
    const [one, other] = [snapshots.begin(), snapshots.begin()];
    await turn();
    one.commit();
    commit(1);
    expect(await valueIn(other)).to.equal(0);
    other.commit();
    expect(reader.inTransaction).to.equal(false);
  });

  it('costs its connection alone if it cannot be ended', async () => {
    await value();
    reader.prepare = () => {
      throw new Error('out of memory');
    };
    await turn();
    expect(() => reader.pragma('data_version')).to.throw(/not open/);
    expect(await value()).to.equal(0);
  });
});
