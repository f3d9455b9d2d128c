import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { DatabaseWriter } from '#store/sqlite/database-writer.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const module = new URL('../../src/store/sqlite/database-writer.ts', import.meta.url).href;

describe('the database writer', () => {
  let folder: TemporaryFolder;
  beforeEach(() => {
    folder = temporaryFolder('writer');
  });
  afterEach(() => folder.remove());

  const open = (name: string): Promise<DatabaseWriter> =>
    DatabaseWriter.open(join(folder.path, name), (error) => expect.fail(error.message));
  const tables = async (writer: DatabaseWriter): Promise<number> =>
    (await writer.run({ sql: "select name from sqlite_master where type = 'table' and name = 'one'", parameters: [] }))
      .rows.length;

  it('writes nothing after close, even with another database open in its thread', async () => {
    const first = await open('first.db');
    await first.close();
    const second = await open('second.db');
    const late = await first.run({ sql: 'create table one (id)', parameters: [] }).catch((error: unknown) => error);
    expect(late).to.be.an('error').with.property('message', 'The database is not open');
    expect(await tables(second)).to.equal(0);
    await second.run({ sql: 'create table one (id)', parameters: [] });
    expect(await tables(second)).to.equal(1);
    await second.close();
  });

  it('does not keep a process running after close', function () {
    this.timeout(30_000);
    const [file, program] = [join(folder.path, 'only.db'), join(folder.path, 'writes.mjs')];
    const lines = [
      `import { DatabaseWriter } from ${JSON.stringify(module)};`,
      `const writer = await DatabaseWriter.open(${JSON.stringify(file)}, (error) => { throw error; });`,
      'await writer.close();',
    ];
    writeFileSync(program, lines.join('\n'));
    const { status, signal, stderr } = spawnSync(process.execPath, [program], { timeout: 20_000, encoding: 'utf8' });
    expect({ status, signal }, stderr).to.deep.equal({ status: 0, signal: null });
  });
});
