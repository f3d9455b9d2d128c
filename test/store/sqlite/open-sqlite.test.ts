import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { OpenSqlite } from '#store/sqlite/open-sqlite.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const module = new URL('../../../src/store/sqlite/open-sqlite.ts', import.meta.url).href;

describe('an open database of SQLite', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('writer');
  });
  afterEach(() => folder.remove());

  const fail = (error: Error): never => expect.fail(error.message);
  const open = (name: string, onDue = (): void => undefined, onFault: (error: Error) => void = fail) =>
    OpenSqlite.open(new Database(join(folder.path, name)), { onFault, onUnsynced: fail, onDue });
  const createTable = { sql: 'create table one (id, name)', parameters: [] };
  const tables = async (writer: OpenSqlite): Promise<number> =>
    (await writer.run({ sql: "select name from sqlite_master where type = 'table' and name = 'one'", parameters: [] }))
      .rows.length;

  it('writes nothing after close, even with another database open', async () => {
    const first = await open('first.db');
    await first.close();
    const second = await open('second.db');
    const late = await first.run(createTable).catch((error: unknown) => error);
    expect(late).to.be.an('error');
    expect(await tables(second)).to.equal(0);
    await second.run(createTable);
    expect(await tables(second)).to.equal(1);
    await second.close();
  });

  it('asks for a checkpoint once the log is long, and starts the log again after it', async () => {
    let isDue = false;
    const writer = await open('long.db', () => {
      isDue = true;
    });
    await writer.run(createTable);
    const fill = async (): Promise<unknown> => {
      const transaction = writer.write();
      for (let row = 0; row < 1_100; row += 1)
        await transaction.run({ sql: 'insert into one values (?, ?)', parameters: [row, 'x'.repeat(4_000)] });
      transaction.commit();
      await writer.settled();
      const reader = new Database(join(folder.path, 'long.db'));
      const [frames] = reader.prepare('pragma wal_checkpoint(noop)').all([]);
      reader.close();
      return Number(frames?.['log']);
    };
    const long = await fill();
    await moment('a checkpoint is due', () => isDue);
    await writer.tend();
    expect(await fill(), 'frames of the second log').to.be.within(1_100, Number(long));
    await writer.close();
  });

  it('finds damage also after another program has run a checkpoint', async () => {
    const [file, faults] = [join(folder.path, 'damaged.db'), [] as Error[]];
    const writer: OpenSqlite = await open(
      'damaged.db',
      // The last one may find the database closed.
      () => void writer.tend().catch(() => undefined),
      (error) => faults.push(error),
    );
    await writer.run(createTable);
    const filling = writer.write();
    for (let row = 0; row < 300; row += 1)
      await filling.run({ sql: 'insert into one values (?, ?)', parameters: [row, 'x'.repeat(4_000)] });
    filling.commit();
    await writer.settled();
    await writer.checkpoint();
    await writer.run({ sql: "update one set name = 'y' where id = 1", parameters: [] });
    const other = new Database(file);
    other.pragma('wal_checkpoint');
    other.close();
    // Another process, because closing a file releases all locks that a process has on it.
    const flip = `const { openSync, writeSync } = require('node:fs'); writeSync(openSync(${JSON.stringify(file)}, 'r+'), 'z', 200 * 4096 + 99)`;
    spawnSync(process.execPath, ['-e', flip]);
    await moment('the damage is found', () => faults.length > 0);
    expect(faults[0]?.message).to.include('(page 201)');
    await writer.close();
  });

  it('does not keep a process running after close', () => {
    const [file, program] = [join(folder.path, 'only.db'), join(folder.path, 'writes.mjs')];
    const lines = [
      `import Database from ${JSON.stringify(import.meta.resolve('better-sqlite3'))};`,
      `import { OpenSqlite } from ${JSON.stringify(module)};`,
      'const stop = (error) => { throw error ?? new Error(); };',
      `const writer = await OpenSqlite.open(new Database(${JSON.stringify(file)}), { onFault: stop, onUnsynced: stop, onDue: stop });`,
      'await writer.close();',
    ];
    writeFileSync(program, lines.join('\n'));
    const { status, signal, stderr } = spawnSync(process.execPath, [program], { timeout: 20_000, encoding: 'utf8' });
    expect({ status, signal }, stderr).to.deep.equal({ status: 0, signal: null });
  });
});
