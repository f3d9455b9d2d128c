import { expect } from 'chai';
import { viewOf } from '#machines/agent/agent-view.ts';
import { openStore, type Store } from '#store/store.ts';
import { saveHost } from '#test/store/store-fixture.ts';
import type { TestDatabase } from '#test/store/test-database.ts';
import { testClock } from '../test-clock.ts';
import { postgresDatabase } from './postgres-database.ts';

describe('a PostgreSQL database of tests', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await postgresDatabase();
  });

  const open = (): Promise<Store> => openStore({ engine: database.engine(), clock: testClock(), viewOf });
  /** The server's processes of connections that muster opened to it. */
  const backends = async () => {
    const all = await database.rowsIn('pg_stat_activity');
    const name = all.find(({ query }) => String(query).includes('pg_stat_activity'))?.['datname'];
    return all
      .filter((row) => row['application_name'] === 'muster' && row['datname'] === name)
      .map(({ pid }) => Number(pid));
  };
  const sequences = () => database.rowsIn('pg_sequences');
  /** Writes a row, and takes numbers of sequences. */
  const use = async () => {
    const store = await open();
    await saveHost(store);
    await store.write(({ notices }) =>
      notices.add([{ agent: 'agt_1', through: 'command', target: 'true', body: '{}' }]),
    );
    expect((await database.rowsIn('notice')).map(({ id }) => Number(id))).to.deep.equal([1]);
    await store.close();
  };

  it('is as new for the next test, with connections that are open', async () => {
    const before = [await database.everyRow(), await sequences()];
    await use();
    const kept = await backends();
    expect(kept).not.to.deep.equal([]);
    await database.drop();
    database = await postgresDatabase();
    expect([await database.everyRow(), await sequences()]).to.deep.equal(before);
    await use();
    expect((await backends()).filter((pid) => kept.includes(pid))).not.to.deep.equal([]);
    await database.drop();
  });

  it('is not for the next test if a store is still open', async () => {
    const store = await open();
    await saveHost(store);
    const kept = await backends();
    await database.drop();
    database = await postgresDatabase();
    expect(await database.rowsIn('host')).to.deep.equal([]);
    expect((await backends()).filter((pid) => kept.includes(pid))).to.deep.equal([]);
    await database.drop();
    await store.close();
  });
});
