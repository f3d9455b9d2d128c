import { expect } from 'chai';
import { Client } from 'pg';
import { viewOf } from '#machines/agent/agent-view.ts';
import { checkOf } from '#service/installation-checks.ts';
import { logDelayOf } from '#store/log/log-delay.ts';
import { readDatabaseAddress } from '#store/postgres/database-address.ts';
import { inspectDatabase } from '#store/postgres/database-inspection.ts';
import { openStore } from '#store/store.ts';
import { superuser } from '#test/support/postgres/postgres-server.ts';
import { testClock } from '#test/support/test-clock.ts';
import { DatabaseServer } from './database-server.ts';

describe('a log behind another transaction', () => {
  const server = DatabaseServer.forEachTest();

  const url = () => `postgres:///${server.database}?user=${superuser}&host=${server.running.socket}`;
  const look = () => inspectDatabase(readDatabaseAddress(url(), undefined), logDelayOf);
  /** Has a registry write a fact, long ago by its clock. */
  const write = async () => {
    const store = await openStore({ engine: server.engine(), clock: testClock(), viewOf });
    await store.write(({ facts }) => facts.append([{ kind: 'agent.changed', subjectId: 'agt_1', detail: {} }]));
    await store.close();
  };
  /** Holds a transaction open in a database of the server; gives its process and how it is ended. */
  const hold = async (database: string) => {
    const client = new Client({ host: server.running.socket, user: superuser, database });
    await client.connect();
    await client.query('begin');
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid, pg_current_xact_id()');
    return { process: rows[0]?.pid, end: () => client.end() };
  };

  it('is reported with the process to end, in any database of the server', async () => {
    for (const database of [server.database, 'postgres']) {
      const { process, end } = await hold(database);
      await write();
      const found = await look();
      const delay = found.more;
      expect(delay?.process, database).to.equal(process);
      expect(delay?.facts).to.be.at.least(1);
      const check = checkOf('database server', found, found.now);
      expect(check).to.include({ outcome: 'warn' });
      expect(check.mend).to.include(`pg_terminate_backend(${process})`);
      await end();
    }
    await write();
    expect((await look()).more).to.equal(undefined);
  });

  it('is not reported in a database that no registry has used', async () => {
    expect((await look()).more).to.equal(undefined);
  });

  it('is reported with a clock that differs by more than two seconds', async () => {
    const found = await look();
    const check = (ownNow: number) => checkOf('database server', found, ownNow);
    expect(check(found.now + 2_000)).to.include({ outcome: 'ok' });
    expect(check(found.now - 3_000).found).to.match(/clock is 3 s ahead of this machine's$/);
    expect(check(found.now + 3_000)).to.include({ outcome: 'warn' });
    expect(check(found.now + 3_000).found).to.match(/clock is 3 s behind this machine's$/);
  });
});
