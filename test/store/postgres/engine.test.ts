import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EntityManager } from '@mikro-orm/sql';
import { expect } from 'chai';
import { Client } from 'pg';
import { viewOf } from '#machines/agent/agent-view.ts';
import type { Engine } from '#store/database/engine.ts';
import { openStore, type Store } from '#store/store.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { superuser } from '#test/support/postgres/postgres-server.ts';
import { testClock } from '#test/support/test-clock.ts';
import { DatabaseServer } from './database-server.ts';

const fact = (kind: string) => ({ kind, subjectId: 'agt_1', detail: {} });

describe('a store on PostgreSQL', () => {
  const server = DatabaseServer.forEachTest();
  let stores: Store[] = [];

  afterEach(async () => {
    for (const store of stores) await store.close();
    stores = [];
  });

  const open = async (): Promise<Store> => {
    const store = await openStore({ engine: server.engine(), clock: testClock(), viewOf });
    stores.push(store);
    return store;
  };
  const put = (store: Store, value: string) => store.write(({ settings }) => settings.put('count', value));
  const valueIn = (store: Store) => store.read(({ settings }) => settings.get('count'));

  it('creates its tables once, however many registries start together', async () => {
    const opened = await Promise.all([open(), open(), open(), open()]);
    await put(opened[0], 'one');
    for (const store of opened) expect(await valueIn(store)).to.equal('one');
  });

  it('waits while another registry migrates, and for no other if the tables are up to date', async () => {
    await open();
    const other = new Client({ host: server.running.socket, user: superuser, database: server.database });
    await other.connect();
    const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted`;
    try {
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock_shared(7433000001)');
      await put(await open(), 'opened beside a registry that looks as well');
      await other.query('commit');

      await other.query('begin');
      await other.query('select pg_advisory_xact_lock(7433000001)');
      await other.query(`insert into "mikro_orm_migrations" ("name") values ('2099-01-01-not-known')`);
      await other.query('alter table "agent" add column "later" text');
      const refused = failureOf(() => open());
      await moment('the start to wait', async () => (await other.query(waiting)).rowCount === 1);
      await other.query('commit');
      expect((await refused).reason).to.equal('NEWER_VERSION_REQUIRED');
    } finally {
      await other.end();
    }
  });

  it('has all the time for its migrations, and no statement fails in an empty database', async () => {
    // MikroORM makes its own table before, and in no transaction.
    const seen = `select distinct "pause", "statement" from watch.seen`;
    await server.running.execute(
      server.database,
      `create schema watch;
       create table watch.seen as select current_setting('idle_in_transaction_session_timeout') as "pause",
         current_setting('statement_timeout') as "statement" limit 0;
       create function watch.look() returns event_trigger language plpgsql as $$ begin
         insert into watch.seen select current_setting('idle_in_transaction_session_timeout'), current_setting('statement_timeout')
           from pg_event_trigger_ddl_commands() where object_identity not like '%mikro_orm_migrations%';
       end $$;
       create event trigger look on ddl_command_end execute function watch.look()`,
    );
    const log = join(dirname(server.running.socket), 'log');
    const before = readFileSync(log, 'utf8').length;
    await open();
    expect(await server.running.execute(server.database, seen)).to.deep.equal([{ pause: '0', statement: '0' }]);
    expect(readFileSync(log, 'utf8').slice(before)).not.to.match(/ERROR|FATAL/);
  });

  it('upgrades rows in one transaction, which has all the time, too', async () => {
    const engine = server.engine();
    const written = `insert into "setting" ("name", "value") values ('upgraded', current_setting('statement_timeout'))`;
    const upgrading = (fault?: Error): Engine => ({
      open: (options) => {
        const isDone = async (em: EntityManager) =>
          (await em.execute<unknown[]>(`select 1 from "setting" where "name" = 'upgraded'`)).length > 0;
        const run = async (em: EntityManager) => {
          await em.execute(written);
          if (fault !== undefined) throw fault;
        };
        return engine.open({ ...options, rows: { isDone, run } });
      },
    });
    const opened = async (fault?: Error) => {
      const store = await openStore({ engine: upgrading(fault), clock: testClock(), viewOf });
      stores.push(store);
      return await store.read(({ settings }) => settings.get('upgraded'));
    };
    const cut = await opened(new Error('cut')).catch((error: Error) => error.message);
    expect(cut).to.equal('cut');
    expect(await opened()).to.equal('0');
  });

  it('may pause longer while it starts than in a transaction', async () => {
    await open();
    const asked = 'show idle_in_transaction_session_timeout';
    const limits: unknown[] = [];
    const engine = server.engine();
    const watched: Engine = {
      open: ({ rows, ...options }) =>
        engine.open({
          ...options,
          rows: {
            ...rows,
            isDone: async (em) => {
              limits.push(...(await em.execute(asked)));
              return rows.isDone(em);
            },
          },
        }),
    };
    const store = await openStore({ engine: watched, clock: testClock(), viewOf });
    stores.push(store);
    const [one] = await server.running.execute(server.database, asked);
    expect(limits).to.deep.equal([{ idle_in_transaction_session_timeout: '30s' }]);
    expect(one, 'the server’s own').to.deep.equal({ idle_in_transaction_session_timeout: '0' });
  });

  it('retries work after a conflict with another registry, and loses neither', async () => {
    const [one, other] = [await open(), await open()];
    await put(one, '0');
    const countUp = (store: Store) =>
      store.write(async ({ settings }) => settings.put('count', String(Number(await settings.get('count')) + 1)));
    await Promise.all(Array.from({ length: 40 }, (_, turn) => countUp(turn % 2 === 0 ? one : other)));
    expect(await valueIn(one)).to.equal('40');
  });

  it('reports locked rows after its time limit, and has written nothing', async () => {
    const [one, other] = [await open(), await open()];
    await put(one, 'kept');
    const failure = await failureOf(() =>
      one.probe(async ({ settings }) => {
        const known = await settings.get('count');
        await put(other, `${known}+`);
        await settings.put('count', 'lost');
      }),
    );
    expect(failure.reason).to.equal('DATABASE_CONTENDED');
    expect(failure.code).to.equal('aborted');
    expect(await valueIn(other)).to.match(/^kept\++$/);
  });

  it('reads within one transaction from one snapshot', async () => {
    const [one, other] = [await open(), await open()];
    await put(one, 'before');
    const seen = await one.read(async ({ settings }) => {
      const first = await settings.get('count');
      await put(other, 'after');
      return [first, await settings.get('count')];
    });
    expect(seen).to.deep.equal(['before', 'before']);
    expect(await valueIn(one)).to.equal('after');
  });

  it('stores every character of a text exactly, in columns and in JSON', async () => {
    const store = await open();
    const texts = ['a\0b', '\u{10fffe}', '\u{10fffe}0', '\0\u{10fffe}1\0', '𝕒?\'"\\$1', ''];
    for (const text of texts) {
      await put(store, text);
      expect(await valueIn(store)).to.equal(text);
    }
    const detail = Object.fromEntries(texts.map((text, place) => [`k${place}`, text]));
    await store.write(({ facts }) => facts.append([{ ...fact('agent.changed'), detail }]));
    const [written] = await store.read(({ facts }) => facts.after(0n, 1));
    expect(written?.detail).to.deep.equal(detail);
  });

  it('reports within two seconds that the server is down, and recovers automatically', async () => {
    const store = await open();
    await put(store, 'before');
    server.running.stop();
    for (const work of [() => put(store, 'lost'), () => valueIn(store)]) {
      const asked = performance.now();
      const failure = await failureOf(work);
      expect(failure.reason).to.equal('DATABASE_UNAVAILABLE');
      expect(failure.code).to.equal('unavailable');
      expect(failure.message).to.contain('MUSTER_DATABASE_URL');
      expect(performance.now() - asked).to.be.lessThan(2_500);
    }
    await server.running.start();
    await put(store, 'after');
    expect(await valueIn(store)).to.equal('after');
  });

  it('reports an uncertain commit after a lost connection', async () => {
    const store = await open();
    const name = server.database;
    const before = `create function wait_to_commit() returns trigger language plpgsql as
      $$ begin perform pg_sleep(30); return null; end $$`;
    const waiting = `create constraint trigger wait after insert on "setting" deferrable initially deferred
      for each row execute function wait_to_commit()`;
    await server.running.execute(name, before, waiting);
    const writing = failureOf(() => store.write(({ settings }) => settings.put('count', 'unknown')));
    const commits = `select pg_terminate_backend(pid) from pg_stat_activity where query = 'commit' and state = 'active'`;
    let failure: Awaited<typeof writing> | undefined;
    void writing.then((one) => {
      failure = one;
    });
    while (failure === undefined) await server.running.execute(name, commits);
    expect(failure.reason).to.equal('COMMIT_UNKNOWN');
    expect(failure.message).to.contain('check before you repeat it');
  });

  it('refuses a database of a newer muster', async () => {
    await open();
    const unknown = `insert into "mikro_orm_migrations" ("name") values ('2099-01-01-times-to-come')`;
    await server.running.execute(server.database, unknown);
    const failure = await failureOf(open);
    expect(failure.reason).to.equal('NEWER_VERSION_REQUIRED');
    expect(failure.message).to.contain('2099-01-01-times-to-come');
  });
});
