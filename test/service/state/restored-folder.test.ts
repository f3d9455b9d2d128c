import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { databaseIn, requireDatabase, requireSecrets } from '#actors/registry/installation-files.ts';
import type { Failure } from '#contract/failure.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { checkDatabaseFile } from '#service/installation-checks.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore } from '#store/store.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { testClock } from '#test/support/test-clock.ts';

/** What the registry does with a state folder when it starts: the refusal's code, reason and words, or `opened`. */
async function start(home: string): Promise<string> {
  try {
    requireDatabase(home);
    const store = await openStore({ engine: new SqliteEngine(databaseIn(home)), clock: testClock(), viewOf });
    await requireSecrets(store, home).finally(() => store.close());
    return 'opened';
  } catch (error) {
    const { code, reason, message } = error as Failure;
    return `${code} ${reason}: ${message}`;
  }
}

describe('a restored state folder', () => {
  let pieces: Pieces;
  let folder: TemporaryFolder;
  let home: string;
  before(async () => {
    pieces = await setUpPieces();
    await pieces.start('registry');
  });
  after(() => pieces.stop());
  beforeEach(() => {
    folder = temporaryFolder('restored');
    home = join(folder.path, 'home');
    mkdirSync(home, { mode: 0o700 });
  });
  afterEach(() => folder.remove());

  const copy = (...names: string[]) => {
    for (const name of names) copyFileSync(join(pieces.home, name), join(home, name));
  };

  it('is refused if muster.db was copied alone while muster ran, on each try', async () => {
    copy('muster.db');
    for (const _try of [1, 2]) {
      expect(await start(home)).to.match(
        /^data_loss DATABASE_LOG_MISSING: .*muster\.db-wal is missing.*user_version = 0/,
      );
      expect(readdirSync(home), 'what the refusal leaves').to.deep.equal(['muster.db']);
    }
    copy('operator.token');
    // Doctor says the same, and does not make a log by looking.
    expect(checkDatabaseFile(home)).to.have.property('outcome', 'fail');
    expect(checkDatabaseFile(home).found).to.match(/muster\.db-wal is missing/);
    expect(await start(home)).to.match(/^data_loss DATABASE_LOG_MISSING/);
  });

  it('is refused if muster.db has only its header, like a young database without its log', async () => {
    const database = new Database(join(folder.path, 'young.db'));
    database.exec('pragma journal_mode = wal; create table some (thing)');
    copyFileSync(join(folder.path, 'young.db'), join(home, 'muster.db'));
    database.close();
    expect(statSync(join(home, 'muster.db')).size).to.equal(4096);
    expect(await start(home)).to.match(/^data_loss DATABASE_LOG_MISSING: .*is empty without its log/);
  });

  it('opens with its log, and after a person confirmed that nothing is missing', async () => {
    copy('muster.db', 'muster.db-wal', 'operator.token');
    expect(await start(home)).to.equal('opened');
    for (const name of ['muster.db', 'muster.db-digests']) rmSync(join(home, name));
    copy('muster.db');
    expect(await start(home)).to.match(/^data_loss/);
    const repair = new Database(join(home, 'muster.db'));
    repair.exec('pragma user_version = 0');
    repair.close();
    expect(await start(home)).to.equal('opened');
  });

  it('is complete in muster.db alone after a stop', async () => {
    copy('muster.db', 'muster.db-wal', 'operator.token');
    expect(await start(home)).to.equal('opened');
    expect(existsSync(join(home, 'muster.db-wal'))).to.equal(false);
    expect(await start(home)).to.equal('opened');
  });

  it('is refused if its database is missing', async () => {
    copy('operator.token');
    expect(await start(home)).to.match(
      /^failed_precondition DATABASE_MISSING: .*muster\.db is missing.*operator\.token/,
    );
    expect(existsSync(join(home, 'muster.db'))).to.equal(false);
    writeFileSync(join(home, 'forge.key'), 'x');
    rmSync(join(home, 'operator.token'));
    expect(await start(home)).to.match(/DATABASE_MISSING: .*forge\.key/);
  });

  it('is refused if a secret of the database is missing', async () => {
    copy('muster.db', 'muster.db-wal');
    expect(await start(home)).to.match(/^failed_precondition SECRET_MISSING: .*operator\.token is missing/);
    expect(existsSync(join(home, 'operator.token'))).to.equal(false);
    copy('operator.token');
    const database = new Database(join(home, 'muster.db'));
    database.exec(
      'insert into forge_connection (id, host, kind, root, credential, created_at) ' +
        `values ('f', 'h', 'FORGE_KIND_GITHUB', 'r', '{"sealed":"x"}', 1)`,
    );
    database.close();
    rmSync(join(home, 'muster.db-digests'));
    expect(await start(home)).to.match(/^failed_precondition SECRET_MISSING: .*forge\.key is missing/);
  });

  it('starts if nothing is missing', async () => {
    expect(await start(home)).to.equal('opened');
  });

  it('is refused by the real program, which creates nothing', async () => {
    await pieces.halt('registry');
    rmSync(join(pieces.home, 'muster.db'));
    const error = await pieces.start('registry').catch((thrown: unknown) => thrown);
    expect(String(error)).to.match(/registry ended/);
    expect(existsSync(join(pieces.home, 'muster.db'))).to.equal(false);
  });
});
