import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { DatabaseWriter } from '#store/sqlite/database-writer.ts';
import { openToRead } from '#store/sqlite/native-database.ts';
import { WriteTransaction } from '#store/sqlite/write-transaction.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { putMigrated } from './migrated-database.ts';

describe('a write transaction of SQLite', () => {
  let folder: TemporaryFolder;
  let writer: DatabaseWriter;
  let reader: Database;
  /** The statements that the thread that writes was asked. */
  let asked: string[];

  beforeEach(async () => {
    folder = temporaryFolder('write-transaction');
    writer = await DatabaseWriter.open(file(), (error) => expect.fail(error.message));
    for (const sql of ['create table one (id, name)', 'create table two (id)', 'insert into one values (1, null)'])
      await writer.run({ sql, parameters: [] });
    reader = openToRead(file());
    asked = [];
    const { run } = writer;
    Object.assign(writer, {
      run: (statement: Parameters<typeof run>[0]) => {
        asked.push(statement.sql);
        return run.call(writer, statement);
      },
    });
  });
  afterEach(async () => {
    reader.close();
    await writer.close();
    folder.remove();
  });

  const file = (): string => join(folder.path, 'some.db');
  const begin = async (): Promise<WriteTransaction> => {
    await writer.begin();
    return new WriteTransaction(writer, reader);
  };
  const idsIn = async (transaction: WriteTransaction, from = 'one'): Promise<unknown[]> => {
    const { rows } = await transaction.run({ sql: `select id from ${from} order by id`, parameters: [] });
    return rows.map(({ id }) => id);
  };

  it('reads without the thread what it has not written', async () => {
    const transaction = await begin();
    expect(await idsIn(transaction)).to.deep.equal([1]);
    await transaction.run({ sql: 'insert into two values (?)', parameters: [7] });
    expect(await idsIn(transaction)).to.deep.equal([1]);
    expect(asked).to.deep.equal(['insert into two values (?)']);
    await transaction.commit();
  });

  it('reads what another program committed before it began', async () => {
    const first = await begin();
    expect(await idsIn(first)).to.deep.equal([1]);
    await first.commit();
    const other = new Database(file());
    other.exec('insert into one values (2, null)');
    other.close();
    const second = await begin();
    expect(await idsIn(second)).to.deep.equal([1, 2]);
    await second.rollback();
  });

  for (const [sql, ids] of [
    ['insert into "one" values (2, null)', [1, 2]],
    ['insert or ignore into one values (2, null)', [1, 2]],
    ['  UPDATE `ONE` set id = 3', [3]],
    ['delete from one', []],
    ['with new(id) as (select 2) insert into one select id, null from new', [1, 2]],
    ['replace into one values (2, null)', [1, 2]],
    ['with new(id) as (select 2) replace into one select id, null from new', [1, 2]],
    ['insert into "main"."one" values (2, null)', [1, 2]],
  ] as const) {
    it(`reads what it wrote by ${sql}`, async () => {
      const transaction = await begin();
      expect(await idsIn(transaction)).to.deep.equal([1]);
      await transaction.run({ sql, parameters: [] });
      expect(await idsIn(transaction)).to.deep.equal(ids);
      expect(await idsIn(transaction, '(select max(id) as id from "one")')).to.deep.equal([ids.at(-1) ?? null]);
      await transaction.rollback();
      const next = await begin();
      expect(await idsIn(next)).to.deep.equal([1]);
      await next.rollback();
    });
  }

  it('leaves no read open that a checkpoint would wait for', async () => {
    for (const end of ['commit', 'rollback'] as const) {
      const transaction = await begin();
      await idsIn(transaction);
      await transaction[end]();
      const { rows } = await writer.run({ sql: 'pragma wal_checkpoint(truncate)', parameters: [] });
      expect(rows[0]).to.include({ busy: 0, log: 0 });
    }
  });

  it('writes no table that its statement does not name', async () => {
    const path = join(folder.path, 'migrated.db');
    await putMigrated(path);
    const migrated = openToRead(path);
    const others = migrated
      .prepare(
        `select m.name from sqlite_master m left join pragma_foreign_key_list(m.name) f
        where m.type in ('trigger', 'view') or f.on_delete <> 'NO ACTION' or f.on_update <> 'NO ACTION'`,
      )
      .all([]);
    migrated.close();
    expect(others).to.deep.equal([]);
  });
});
