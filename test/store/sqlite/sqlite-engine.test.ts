import { copyFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/sqlite';
import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { entities } from '#store/entities.ts';
import { FactEntity } from '#store/fact/fact-entity.ts';
import { migrations } from '#store/migrations/list.ts';
import { DurableSqliteDriver } from '#store/sqlite/sqlite-driver.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore } from '#store/store.ts';
import { holdDatabase, tryToWrite } from '../other-process.ts';
import { type StoreFixture, saveHost, storeFixture } from '../store-fixture.ts';

describe('the database', () => {
  let fixture: StoreFixture;

  beforeEach(async () => {
    fixture = await storeFixture();
  });
  afterEach(() => fixture.close());

  const open = (options: object = {}) =>
    MikroORM.init({ driver: DurableSqliteDriver, dbName: fixture.file, entities, ...options });
  const openingOf = (file: string) =>
    openStore({ engine: new SqliteEngine(file), clock: fixture.clock, viewOf }).then(
      () => 'opened',
      (error: unknown) => error,
    );

  it('has a write-ahead log that muster syncs, foreign keys, five seconds of patience, no temporary files', async () => {
    const orm = await open();
    const read = async (pragma: string) => Object.values((await orm.em.execute(`pragma ${pragma}`))[0] as object)[0];
    const names = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout', 'temp_store'];
    expect(await Promise.all(names.map(read))).to.deep.equal(['wal', 1, 1, 5000, 2]);
    await orm.close();
  });

  it('is readable only by its owner', () => {
    expect(statSync(fixture.file).mode & 0o777).to.equal(0o600);
  });

  it('keeps the lock that protects its log, even after a read of the file', async function () {
    const locks = '/proc/locks';
    if (!existsSync(locks)) this.skip();
    await fixture.store.write(({ settings }) => settings.put('some', 'x'));
    // Without it, another program that opens the database and closes it takes it for its own, and removes the log.
    const own = readFileSync(locks, 'utf8')
      .split('\n')
      .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(fixture.file).ino} `));
    expect(own).to.have.length.of.at.least(1);
  });

  it('takes the lock when a write begins, before anything is written', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: reportBegun } = Promise.withResolvers<void>();
    const writing = fixture.store.write(async () => {
      reportBegun();
      await held;
    });
    await begun;
    expect(tryToWrite(fixture.file)).to.equal('database is locked');
    release();
    await writing;
    expect(tryToWrite(fixture.file)).to.equal('free');
  });

  for (const seq of [1n, 9_007_199_254_740_993n, 9_223_372_036_854_775_807n]) {
    it(`stores the integer ${seq} exactly`, async () => {
      const orm = await open();
      await orm.em.fork().insert(FactEntity, { seq, kind: 'k', subjectId: 's', at: 1, detail: {} });
      await orm.close();
      const [fact] = await fixture.store.read(({ facts }) => facts.after(seq - 1n, 2));
      expect(fact?.seq).to.equal(seq);
      expect(await fixture.store.read(({ facts }) => facts.lastSeq())).to.equal(seq);
    });
  }

  const execute = async (sql: string) => {
    const orm = await open();
    try {
      return await orm.em.execute(sql);
    } finally {
      await orm.close();
    }
  };

  it('refuses an effect of an unknown agent', async () => {
    const refusal = await execute(
      "insert into effect (key, agent_id, version, place, kind, params) values ('k', 'agt_9', 1, 0, 'openWindow', '{}')",
    ).catch((error: Error) => error.message);
    expect(refusal).to.contain('FOREIGN KEY');
  });

  it('is created with exactly the tables of the code', async () => {
    const orm = await open({ extensions: [Migrator], migrations: { migrationsList: migrations, snapshot: false } });
    expect(await orm.schema.getUpdateSchemaSQL({ wrap: false, dropTables: false })).to.equal('');
    await orm.close();
  });

  it('opens again without running a migration twice', async () => {
    await saveHost(fixture.store);
    const store = await fixture.reopen();
    expect((await store.read(({ hosts }) => hosts.all())).map(({ id }) => id)).to.deep.equal(['hst_1']);
  });

  it('refuses a database of a newer muster', async () => {
    await execute("insert into mikro_orm_migrations (name) values ('2099-01-01-later')");
    const error = await openingOf(fixture.file);
    expect(error).to.be.instanceOf(Failure).with.property('code', 'failed_precondition');
    expect((error as Failure).message).to.contain('2099-01-01-later');
  });

  it('refuses a damaged database', async () => {
    await saveHost(fixture.store);
    await execute('pragma wal_checkpoint(truncate)');
    const copy = `${fixture.file}.copy`;
    copyFileSync(fixture.file, copy);
    truncateSync(copy, statSync(copy).size - 4096);
    expect(await openingOf(copy))
      .to.be.instanceOf(Failure)
      .with.property('code', 'data_loss');
  });

  it('refuses a file that is not a database', async () => {
    const file = `${fixture.folder.path}/notes.db`;
    writeFileSync(file, 'these are notes, not a database\n'.repeat(200));
    expect(await openingOf(file))
      .to.be.instanceOf(Failure)
      .with.property('code', 'data_loss');
  });

  it('reports another program’s lock to a writer', async () => {
    const other = await holdDatabase(fixture.file);
    const error = await saveHost(fixture.store).catch((thrown: unknown) => thrown);
    await other.release();
    expect(error).to.be.instanceOf(Failure).with.property('code', 'unavailable');
    await saveHost(fixture.store);
  });
});
