import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import type { Statement } from '#store/database/statement.ts';
import { oneAtATime, type Turns } from '#store/database/turns.ts';
import { OpenSqlite } from '#store/sqlite/open-sqlite.ts';
import { WriteGroups } from '#store/sqlite/write-groups.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const statement = (sql: string): Statement => ({ sql, parameters: [] });
const insert = (id: number): Statement => ({ sql: 'insert into one values (?)', parameters: [id] });

describe('writes that queue up', () => {
  let folder: TemporaryFolder;
  let file: OpenSqlite;
  let groups: WriteGroups;
  /** As in a store, a write begins once the one before it says so. */
  let writers: Turns;
  /** How many transactions have begun. */
  let begun: number;

  beforeEach(async () => {
    folder = temporaryFolder('groups');
    const fail = (error: Error): never => expect.fail(error.message);
    const listener = { onFault: fail, onUnsynced: fail, onDue: () => undefined };
    file = await OpenSqlite.open(new Database(join(folder.path, 'muster.db')), listener);
    await file.run(statement('create table one (id integer primary key)'));
    await file.run(statement('create table two (one integer references one (id) deferrable initially deferred)'));
    begun = 0;
    writers = oneAtATime();
    groups = new WriteGroups(oneAtATime(), () => {
      begun += 1;
      return file.write();
    });
  });
  afterEach(async () => {
    await file.close();
    folder.remove();
  });

  /** Writes statements, in the order of the calls, and returns `named`; a failure is returned as text. */
  const write = (named: string, ...statements: readonly Statement[]): Promise<string> =>
    writers((over) =>
      groups.write(
        async (transaction) => {
          for (const one of statements) await transaction.run(one);
          return named;
        },
        { patienceMs: 1_000, over },
      ),
    ).catch((error: unknown) => String(error));
  const ids = async (): Promise<unknown[]> => {
    const { rows } = await file.run(statement('select id from one order by id'));
    return rows.map(({ id }) => id);
  };

  it('share a commit', async () => {
    const ended: string[] = [];
    const ending = [1, 2, 3].map(async (id) => void ended.push(await write(`write ${id}`, insert(id))));
    await Promise.all(ending);
    expect(ended, 'they end in their order').to.deep.equal(['write 1', 'write 2', 'write 3']);
    expect(await ids()).to.deep.equal([1, 2, 3]);
    expect(begun).to.equal(1);
  });

  it('take another commit for those after the first eight', async () => {
    await Promise.all(Array.from({ length: 9 }, (_, id) => write(`write ${id}`, insert(id))));
    expect([begun, await ids()]).to.deep.equal([2, [0, 1, 2, 3, 4, 5, 6, 7, 8]]);
  });

  it('take another commit for those after one that took long', async () => {
    const counting =
      'with recursive n(x) as (select 1 union all select x + 1 from n where x < 500000) select max(x) from n';
    await Promise.all([
      write('first', statement(counting), insert(1)),
      write('second', insert(2)),
      write('third', insert(3)),
    ]);
    expect([begun, await ids()]).to.deep.equal([2, [1, 2, 3]]);
  });

  it('let timers and messages have their turn after eight', async () => {
    let hasTurned = false;
    setImmediate(() => {
      hasTurned = true;
    });
    const turned = await Promise.all(
      Array.from({ length: 9 }, async (_, id) => {
        await write(`write ${id}`, insert(id));
        return hasTurned;
      }),
    );
    expect(turned).to.deep.equal([...Array(8).fill(false), true]);
  });

  it('do not write what failed, and write the others', async () => {
    const done = await Promise.all([
      write('first', insert(1)),
      write('second', insert(2), insert(1)),
      write('third', insert(3)),
    ]);
    expect(done[0]).to.equal('first');
    expect(done[1]).to.contain('UNIQUE constraint failed');
    expect(done[2]).to.equal('third');
    expect([begun, await ids()]).to.deep.equal([1, [1, 3]]);
  });

  it('all fail, and write nothing, if the commit fails', async () => {
    const done = await Promise.all([
      write('first', insert(1)),
      write('second', statement('insert into two values (99)')),
      write('third', insert(3)),
    ]);
    for (const one of done) expect(one).to.contain('FOREIGN KEY constraint failed');
    expect(await ids()).to.deep.equal([]);
    expect(await write('the next', insert(4)), 'those after it are written').to.equal('the next');
  });

  it('run each in the asynchronous context of its own call', async () => {
    const call = new AsyncLocalStorage<string>();
    const seen = ['a', 'b', 'c'].map((name) =>
      call.run(name, () => writers((over) => groups.write(async () => call.getStore(), { patienceMs: 1_000, over }))),
    );
    expect(await Promise.all(seen)).to.deep.equal(['a', 'b', 'c']);
    expect(begun).to.equal(1);
  });

  it('write nothing more once a fault has ended their transaction, even if the work goes on', async () => {
    await write('before', insert(1));
    const swallows = writers((over) =>
      groups.write(
        async (transaction) => {
          await transaction.run(statement('insert or rollback into one values (1)')).catch(() => undefined);
          await transaction.run(insert(2)).catch(() => undefined);
          return 'done';
        },
        { patienceMs: 1_000, over },
      ),
    ).catch((error: unknown) => String(error));
    expect(await swallows).to.contain('UNIQUE constraint failed');
    expect(await ids()).to.deep.equal([1]);
  });

  it('all fail if the work of one ends its own savepoint, and fails', async () => {
    const done = await Promise.all([
      write('first', insert(1)),
      write('second', insert(2), statement('release nested'), insert(1)),
    ]);
    for (const one of done) expect(one).to.match(/UNIQUE constraint failed|no such savepoint/);
    expect(await ids()).to.deep.equal([]);
  });

  it('all fail, and write nothing, if a fault ends their transaction', async () => {
    await write('before', insert(1));
    let joined: Promise<string> | undefined;
    const fails = (over: () => void): Promise<void> =>
      groups.write(
        async (transaction) => {
          joined = groups.write(async () => 'joined', { patienceMs: 1_000 }).catch((error: unknown) => String(error));
          await transaction.run(statement('insert or rollback into one values (1)'));
        },
        { patienceMs: 1_000, over },
      );
    const done = await Promise.all([
      write('first', insert(2)),
      writers(fails).catch((error: unknown) => String(error)),
      write('third', insert(3)),
    ]);
    for (const one of [done[0], done[1], await joined]) expect(one).to.contain('UNIQUE constraint failed');
    expect(done[2], 'those after it are written').to.equal('third');
    expect(await ids()).to.deep.equal([1, 3]);
  });
});
