import { mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isDatabaseFault } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { asFailure } from '#store/sqlite/sqlite-fault.ts';
import { openStore, type Store } from '#store/store.ts';
import { type FaultyDisk, faultyDisk } from '#test/support/faulty-disk.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { testClock } from '#test/support/test-clock.ts';
import { holdDatabase } from '../other-process.ts';

const open = (file: string, onUnsure?: (failure: Failure) => void) =>
  openStore({ engine: new SqliteEngine(file), clock: testClock(), viewOf, ...(onUnsure && { onUnsure }) });
/** What a piece of work is refused with: its code and reason; `done` if it is not. */
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: Failure) => `${error.code} ${error.reason}`,
  );
const put = (store: Store, value = 'x') => store.write(({ settings }) => settings.put('some', value));
const get = (store: Store) => store.read(({ settings }) => settings.get('some'));
const probe = (store: Store) => outcome(store.probe(({ settings }) => settings.put('probe', 'x')));
/** More than the log has room for. */
const large = 'x'.repeat(3_000_000);

describe('a disk fault under the database', () => {
  let folder: TemporaryFolder;
  let disk: FaultyDisk;
  let store: Store;
  let isOpen = false;
  const file = () => join(disk.path, 'muster.db');
  beforeEach(async function () {
    folder = temporaryFolder('faults');
    const made = faultyDisk(folder.path);
    if (made === undefined) this.skip();
    disk = made;
    store = await open(file());
    isOpen = true;
    await put(store, 'before');
  });
  const close = async () => {
    if (isOpen) await store.close().catch(() => undefined);
    isOpen = false;
  };
  afterEach(async () => {
    await close();
    disk?.remove();
    folder.remove();
  });

  it('is reported for a full disk, while reads continue, and ends with new space', async () => {
    const free = disk.fill();
    expect(await outcome(put(store, large))).to.equal('resource_exhausted DISK_FULL');
    expect(await get(store)).to.equal('before');
    // A small write may still find room: what failed a moment ago counts anyway.
    expect(await probe(store)).to.equal('resource_exhausted DISK_FULL');
    free();
    expect(await outcome(put(store, large))).to.equal('done');
    await moment('the fault is forgotten', async () => (await probe(store)) === 'done');
  });

  it('does not prevent opening after a stop on a full disk', async () => {
    const free = disk.fill();
    await outcome(put(store, large));
    await close();
    free();
    store = await open(file());
    isOpen = true;
    expect(await get(store)).to.equal('before');
  });

  it('loses nothing if a start fails on a full disk after a kill, and the next one succeeds', async () => {
    const copy = join(disk.path, 'killed.db');
    for (const suffix of ['', '-wal', '-shm']) writeFileSync(copy + suffix, readFileSync(file() + suffix));
    const free = disk.fill();
    const stop = () => {
      throw new Error('this start fails');
    };
    const failing = openStore({
      engine: new SqliteEngine(copy),
      clock: testClock(),
      viewOf,
      upgrades: { versionOf: stop, upgrade: stop },
    });
    expect(await failing.catch(String)).to.include('this start fails');
    free();
    const next = await open(copy);
    expect(await get(next)).to.equal('before');
    await next.close();
  });

  it('is reported for a read-only file system, while reads continue', async () => {
    disk.setReadOnly();
    const refusal = await put(store).catch((error: unknown) => error);
    expect(refusal).to.be.instanceOf(Failure).with.property('reason', 'DATABASE_READ_ONLY');
    expect((refusal as Failure).code).to.equal('unavailable');
    expect((refusal as Failure).message).to.match(/can only be read .*kernel's log/);
    expect(await get(store)).to.equal('before');
    expect(await probe(store)).to.equal('unavailable DATABASE_READ_ONLY');
    await close();
    await disk.repair();
    store = await open(file());
    isOpen = true;
    expect(await get(store)).to.equal('before');
    expect(await probe(store)).to.equal('done');
  });

  it('is reported for a failing device, and nothing is written from then on or lost', async () => {
    await close();
    const unsure: Failure[] = [];
    store = await open(file(), (failure) => unsure.push(failure));
    isOpen = true;
    const mend = disk.fail();
    const refusal = await put(store, large).catch((error: unknown) => error);
    expect(refusal).to.have.property('reason', 'DISK_FAILED');
    expect((refusal as Failure).message).to.include('may or may not be there');
    expect(unsure).to.deep.equal([refusal]);
    expect(await get(store)).to.equal('before');
    const next = await put(store, 'next').catch((error: unknown) => error);
    expect((next as Failure).message).to.include('nothing was written');
    expect(await probe(store)).to.equal('unavailable DISK_FAILED');
    await close();
    mend();
    await disk.repair();
    store = await open(file());
    isOpen = true;
    expect(['before', large]).to.include(await get(store));
  });
});

describe('a fault of the database file', () => {
  let folder: TemporaryFolder;
  let file: string;
  let store: Store;
  beforeEach(async () => {
    folder = temporaryFolder('faults');
    file = join(folder.path, 'muster.db');
    store = await open(file);
    await put(store, 'before');
  });
  afterEach(async () => {
    await store.close().catch(() => undefined);
    folder.remove();
  });

  it('is reported for another program’s lock, while reads and everything else continue', async () => {
    const other = await holdDatabase(file);
    const began = performance.now();
    const writing = outcome(put(store, 'after'));
    const second = outcome(put(store, 'after that'));
    for (let reads = 0; reads < 20; reads += 1) expect(await get(store)).to.equal('before');
    expect(await probe(store)).to.equal('unavailable DATABASE_BUSY');
    expect(performance.now() - began, 'how long reads waited').to.be.below(2_500);
    expect([await writing, await second]).to.deep.equal(['unavailable DATABASE_BUSY', 'unavailable DATABASE_BUSY']);
    expect(performance.now() - began, 'how long both writes waited').to.be.below(9_000);
    await other.release();
    expect(await outcome(put(store, 'after'))).to.equal('done');
    await moment('the fault is forgotten', async () => (await probe(store)) === 'done');
  });

  it('waits in the order of the writes if the lock is released in time', async () => {
    const other = await holdDatabase(file);
    const writes = [put(store, 'first'), put(store, 'second')];
    await get(store);
    await other.release();
    await Promise.all(writes);
    expect(await get(store)).to.equal('second');
  });

  it('is reported permanently for damage, and intact rows can still be read', async () => {
    await store.write(({ settings }) => settings.put('large', 'y'.repeat(3_000_000)));
    await store.close();
    // The pages of the large text are the last ones: their chain is broken in the middle.
    const damaged = openSync(file, 'r+');
    const middle = Math.floor(statSync(file).size / 2 / 4096) * 4096;
    writeSync(damaged, Buffer.alloc(4096, 0xff), 0, 4096, middle);
    const refused = await outcome(open(file));
    expect(refused).to.equal('data_loss DATABASE_DAMAGED');
  });

  it('is detected at runtime, too', async () => {
    await store.write(({ settings }) => settings.put('large', 'y'.repeat(30_000_000)));
    await store.close();
    store = await open(file);
    const damaged = openSync(file, 'r+');
    writeSync(damaged, Buffer.alloc(4096, 0xff), 0, 4096, Math.floor(statSync(file).size / 2 / 4096) * 4096);
    expect(await outcome(store.read(({ settings }) => settings.get('large')))).to.equal('data_loss DATABASE_DAMAGED');
    expect(await get(store)).to.equal('before');
    expect(await probe(store)).to.equal('data_loss DATABASE_DAMAGED');
  });

  it('is reported for a moved database or a removed log, before any write is accepted', async () => {
    renameSync(file, `${file}.away`);
    expect(await outcome(put(store))).to.equal('data_loss DATABASE_MOVED');
    renameSync(`${file}.away`, file);
    expect(await outcome(put(store, 'back'))).to.equal('done');
    expect(await get(store)).to.equal('back');
    rmSync(`${file}-wal`);
    expect(await outcome(put(store))).to.equal('data_loss DATABASE_MOVED');
  });

  it('is reported if the file cannot be opened', async () => {
    const folderThere = join(folder.path, 'other.db');
    mkdirSync(folderThere);
    expect(await outcome(open(folderThere))).to.equal('unavailable DATABASE_CANNOT_OPEN');
  });
});

describe('an error of the database', () => {
  const codes = {
    SQLITE_FULL: 'resource_exhausted DISK_FULL',
    SQLITE_IOERR_WRITE: 'unavailable DISK_FAILED',
    SQLITE_IOERR_FSYNC: 'unavailable DISK_FAILED',
    SQLITE_IOERR_CORRUPTFS: 'data_loss DATABASE_DAMAGED',
    SQLITE_READONLY: 'unavailable DATABASE_READ_ONLY',
    SQLITE_READONLY_DBMOVED: 'unavailable DATABASE_READ_ONLY',
    SQLITE_CANTOPEN: 'unavailable DATABASE_CANNOT_OPEN',
    SQLITE_BUSY: 'unavailable DATABASE_BUSY',
    SQLITE_BUSY_SNAPSHOT: 'unavailable DATABASE_BUSY',
    SQLITE_LOCKED: 'unavailable DATABASE_BUSY',
    SQLITE_CORRUPT: 'data_loss DATABASE_DAMAGED',
    SQLITE_CORRUPT_INDEX: 'data_loss DATABASE_DAMAGED',
    SQLITE_NOTADB: 'data_loss DATABASE_DAMAGED',
    SQLITE_NOMEM: 'resource_exhausted OUT_OF_MEMORY',
  };
  for (const [code, expected] of Object.entries(codes)) {
    it(`is reported as ${expected} for ${code}, however deeply nested, also across the bus`, () => {
      const cause = Object.assign(new Error('from SQLite'), { code });
      for (const error of [cause, new Error('from MikroORM', { cause })]) {
        const failure = asFailure(error) as Failure;
        const travelled = Failure.fromJSON(JSON.parse(JSON.stringify(failure)) as object);
        expect(`${travelled.code} ${travelled.reason}`).to.equal(expected);
        expect(isDatabaseFault(travelled)).to.equal(true);
      }
    });
  }

  it('is not converted without a remedy', () => {
    const error = Object.assign(new Error('from SQLite'), { code: 'SQLITE_CONSTRAINT' });
    expect(asFailure(error)).to.equal(error);
  });
});
