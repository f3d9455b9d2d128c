import { join } from 'node:path';
import { expect } from 'chai';
import { viewOf } from '#machines/agent/agent-view.ts';
import { snapshotUpgrades } from '#machines/snapshot-upgrade.ts';
import type { DatabaseWork } from '#store/database/engine.ts';
import { SqliteEngine } from '#store/sqlite/sqlite-engine.ts';
import { openStore, type Store } from '#store/store.ts';
import { transferDatabase } from '#store/transfer/transfer.ts';
import { rowsOfFile } from '#test/store/rows-of-file.ts';
import { schemaHistory, writeOldDatabase } from '#test/store/schema-history.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { testClock } from '#test/support/test-clock.ts';
import { DatabaseServer } from './database-server.ts';

/** What texts may hold: what PostgreSQL cannot store, what JSON escapes, and what sorts otherwise by language. */
const oddText = 'a\0b\u{10fffe}\n"ä\\u0000\u2028😀';

describe('a migration to PostgreSQL', () => {
  const server = DatabaseServer.forEachTest();
  let folder: TemporaryFolder;
  let file: string;

  beforeEach(async () => {
    folder = temporaryFolder('transfer');
    file = join(folder.path, 'muster.db');
  });
  afterEach(() => folder.remove());

  const open = (engine: Parameters<typeof openStore>[0]['engine']) =>
    openStore({ engine, clock: testClock(), viewOf, upgrades: snapshotUpgrades });
  const onSqlite = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await open(new SqliteEngine(file));
    return work(store).finally(() => store.close());
  };
  const onPostgres = async <T>(work: (store: Store) => Promise<T>): Promise<T> => {
    const store = await open(server.engine());
    return work(store).finally(() => store.close());
  };
  const carry = () => transferDatabase(new SqliteEngine(file), server.engine(), snapshotUpgrades);

  for (const name of [schemaHistory[0], schemaHistory.at(-1)] as const) {
    it(`copies each row of every table from ${name}`, async () => {
      writeOldDatabase(name ?? '', file);
      const { tables, wasDone } = await carry();
      expect(wasDone).to.equal(false);
      for (const { name: table, rows } of tables) {
        expect(rowsOfFile(file, `select count(*) as count from "${table}"`), table).to.deep.equal([{ count: rows }]);
      }
      expect(tables.filter(({ rows }) => rows > 10).map((one) => one.name)).to.include('agent');
      const whole = (store: Store) =>
        store.read(async ({ agents, workflows, facts }) => ({
          agents: await agents.page({ standing: 'present', after: undefined, limit: 500 }),
          workflows: await workflows.page(undefined, 500),
          facts: await facts.after(0n, 1_000),
        }));
      expect((await onSqlite(whole)).agents.length).to.be.above(10);
      expect(await onPostgres(whole)).to.deep.equal(await onSqlite(whole));
    });
  }

  it('keeps odd texts, and reuses no number', async () => {
    const fact = { kind: 'odd', subjectId: oddText, detail: { oddText } };
    const written = await onSqlite(async (store) => {
      await store.write(({ settings }) => settings.put('odd', oddText));
      await store.write(({ facts }) => facts.append([fact, fact, fact]));
      const [first] = await store.read(({ facts }) => facts.after(0n, 10));
      await store.write(({ facts }) => facts.prune({ before: Number.MAX_SAFE_INTEGER, keep: 1, limit: 2 }));
      await store.write(({ facts }) => facts.append([fact]));
      const left = await store.read(({ facts }) => facts.after(first?.seq ?? 0n, 10));
      await store.write(({ settings }) => settings.put('left', String(left.length)));
      return left;
    });
    expect(written.length).to.be.above(0);
    await carry();
    await onPostgres(async (store) => {
      expect(await store.read(({ settings }) => settings.get('odd'))).to.equal(oddText);
      expect(await store.read(({ facts }) => facts.after(0n, 10))).to.deep.equal(written);
      await store.write(({ facts }) => facts.append([{ kind: 'next', subjectId: 'agt_1', detail: {} }]));
      const next = (await store.read(({ facts }) => facts.after(0n, 10))).at(-1);
      expect(next?.kind).to.equal('next');
      expect((next?.seq ?? 0n) > (written.at(-1)?.seq ?? 0n)).to.equal(true);
    });
  });

  it('copies once: a repeat detects that, and another database is refused', async () => {
    await onSqlite((store) => store.write(({ settings }) => settings.put('one', '1')));
    await carry();
    expect((await carry()).wasDone).to.equal(true);
    await onPostgres((store) => store.write(({ settings }) => settings.put('two', '2')));
    const failure = await failureOf(carry);
    expect(failure.reason).to.equal('DATABASE_NOT_EMPTY');
    expect(failure.message).to.match(/setting: 2 there, 1 here/);
    expect(await onPostgres((store) => store.read(({ settings }) => settings.get('two')))).to.equal('2');
  });

  it('leaves nothing if the server fails halfway', async () => {
    writeOldDatabase(schemaHistory.at(-1) ?? '', file);
    const halting = new SqliteEngine(file);
    const failing = {
      open: async (opening: Parameters<SqliteEngine['open']>[0]) => {
        const opened = await halting.open(opening);
        const { read } = opened;
        const stop = () => server.running.stop();
        opened.read = <T>(work: DatabaseWork<T>) =>
          read.call(opened, (em) => work(haltAt(em, 'from "workflow"', stop))) as Promise<T>;
        return opened;
      },
    };
    const failure = await failureOf(() => transferDatabase(failing, server.engine(), snapshotUpgrades));
    expect(failure.reason).to.match(/^DATABASE_UNAVAILABLE|COMMIT_UNKNOWN$/);
    await server.running.start();
    const rows = await onPostgres((store) => store.read(({ workflows }) => workflows.page(undefined, 9)));
    expect(rows).to.deep.equal([]);
    expect((await carry()).wasDone).to.equal(false);
  });
});

/** An entity manager that does something right before a statement that contains a text. */
function haltAt<T extends object>(em: T, text: string, halt: () => void): T {
  return new Proxy(em, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (key === 'execute' && String(args[0]).includes(text)) halt();
        return Reflect.apply(value, target, args);
      };
    },
  });
}
