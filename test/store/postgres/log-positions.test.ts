import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { LogLine } from '#actors/registry/kernel/log-line.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { openStore, type Store } from '#store/store.ts';
import { testClock } from '#test/support/test-clock.ts';
import { commitOn, newAgent, saveHost } from '../store-fixture.ts';
import { DatabaseServer } from './database-server.ts';

/** How often a transaction that is held open reads, in milliseconds. */
const busyEvery = 500;

/** A piece of work that has written and is not yet committed. */
interface OpenTransaction {
  commit(): Promise<void>;
}

describe('the logs of a database with several registries', function () {
  this.timeout(180_000);
  const server = DatabaseServer.forEachTest();
  let stores: Store[] = [];

  afterEach(async () => {
    for (const store of stores) await store.close();
    stores = [];
  });

  const open = async (database = server.database): Promise<Store> => {
    const store = await openStore({ engine: server.engine(database), clock: testClock(), viewOf });
    stores.push(store);
    return store;
  };
  const append = (store: Store, subjectId: string) =>
    store.write(({ facts }) => facts.append([{ kind: 'agent.changed', subjectId, detail: {} }]));
  /** Begins a piece of work, and holds it open once it has written. */
  const hold = async (store: Store, work: Parameters<Store['write']>[0]): Promise<OpenTransaction> => {
    const written = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const done = store.write(async (tables) => {
      await work(tables);
      written.resolve();
      // The server ends a transaction in which nothing happens for long.
      let isReleased = false;
      const release = released.promise.then(() => {
        isReleased = true;
      });
      while (!isReleased) {
        await Promise.race([release, delay(busyEvery)]);
        await tables.facts.firstSeq();
      }
    });
    await Promise.race([written.promise, done]);
    return {
      async commit() {
        released.resolve();
        await done;
      },
    };
  };
  /** What a reader is given who continues where he was, until now. */
  const follower = (store: Store) => {
    let place = 0n;
    return async () => {
      const found = await store.read(({ facts }) => facts.after(place, 100));
      place = found.at(-1)?.seq ?? place;
      return found.map(({ subjectId }) => subjectId);
    };
  };

  it('deliver every fact once while a transaction is open between two others', async () => {
    const [one, other] = [await open(), await open()];
    const next = follower(await open());
    await append(one, 'before');
    expect(await next()).to.deep.equal(['before']);
    const held = await hold(one, ({ facts }) =>
      facts.append(['held', 'held too'].map((subjectId) => ({ kind: 'agent.changed', subjectId, detail: {} }))),
    );
    await append(other, 'between');
    expect(await next()).to.deep.equal([]);
    await held.commit();
    await append(other, 'after');
    expect(await next()).to.deep.equal(['held', 'held too', 'between', 'after']);
    expect(await next()).to.deep.equal([]);
  });

  it('wait for a transaction that is about to end, so that a notified watcher finds its fact', async () => {
    const [one, other] = [await open(), await open()];
    const next = follower(await open());
    const held = await hold(one, ({ facts }) =>
      facts.append([{ kind: 'agent.changed', subjectId: 'held', detail: {} }]),
    );
    await append(other, 'between');
    const reading = next();
    await held.commit();
    expect(await reading).to.deep.equal(['held', 'between']);
  });

  it('deliver every transition, agent and record once as well', async () => {
    const [one, other, reader] = [await open(), await open(), await open()];
    await saveHost(one);
    for (const id of ['agt_1', 'agt_2']) await one.write(({ journal }) => journal.insert(newAgent(id)));
    const ends = await reader.read(async ({ facts, transitions, agents }) => ({
      moved: await facts.lastSeq(),
      moves: await transitions.lastSeq(),
      records: await agents.lastPosition(),
    }));
    const moved = (agentId: string) =>
      commitOn(agentId, { event: { type: 'ANY' }, facts: [{ kind: 'agent.changed', detail: {} }] });
    const since = () =>
      reader.read(async ({ agents, transitions }) => ({
        moved: (await agents.movedAfter(ends.moved, 10)).map(({ id }) => id),
        moves: (await transitions.after(ends.moves, 10, {})).map(({ subject }) => subject),
        records: (await agents.changesOn('hst_1', ends.records, 10)).map(({ record }) => record.id),
      }));
    const held = await hold(one, ({ journal }) => journal.commit(moved('agt_1')));
    await other.commitAgent(moved('agt_2'));
    expect(await since()).to.deep.equal({ moved: [], moves: [], records: [] });
    await held.commit();
    const both = ['agt_1', 'agt_2'];
    expect(await since()).to.deep.equal({ moved: both, moves: both, records: both });
  });

  it('skip and repeat nothing under many writers', async () => {
    const writers = await Promise.all([open(), open(), open()]);
    const next = follower(await open());
    const seen: string[] = [];
    const writing = Promise.all(
      writers.map(async (store, writer) => {
        for (let made = 0; made < 30; made += 1) await append(store, `${writer}/${made}`);
      }),
    );
    let isOver = false;
    void writing.then(() => {
      isOver = true;
    });
    while (!isOver) seen.push(...(await next()));
    await writing;
    seen.push(...(await next()));
    expect(seen).to.have.length(90);
    expect(new Set(seen).size).to.equal(90);
  });

  it('keep the facts behind a cursor until they are pruned', async () => {
    const store = await open();
    for (const id of ['a', 'b', 'c']) await append(store, id);
    const reaches = (seq: bigint) => store.read(({ facts }) => facts.reaches(seq));
    expect(await reaches(1n)).to.equal(true);
    await store.write(({ facts }) => facts.prune({ before: Number.MAX_SAFE_INTEGER, keep: 2, limit: 10 }));
    expect(await reaches(1n)).to.equal(false);
    const [first] = await store.read(({ facts }) => facts.after(0n, 1));
    expect(first?.subjectId).to.equal('b');
    expect(await reaches((first?.seq ?? 0n) - 1n)).to.equal(true);
  });

  it('have one order for all registries, which a copy on another database continues', async () => {
    const [one, other] = [await open(), await open()];
    const begin = (store: Store, id: string) => store.write((tables) => LogLine.begin(tables, id));
    const names = await Promise.all([begin(one, 'first'), begin(other, 'second')]);
    expect(new Set(names.map(({ name }) => name)).size).to.equal(1);
    // As on a server whose transactions are counted far higher.
    await append(one, 'old');
    await server.running.execute(server.database, 'update fact set seq = seq + (1000000::bigint << 20)');
    const end = (await server.running.execute(server.database, 'select max(seq) as seq from fact'))[0]?.['seq'];
    for (const store of stores.splice(0)) await store.close();
    await server.running.execute('postgres', `create database ${server.database}_copy template ${server.database}`);
    const copy = await open(`${server.database}_copy`);
    const line = await begin(copy, 'third');
    expect(line.name).to.equal('third');
    expect(line.holds('facts', { log: names[0].name, seq: String(end) })).to.equal(true);
    expect(line.holds('facts', { log: names[0].name, seq: String(BigInt(String(end)) + 1n) })).to.equal(false);
    await append(copy, 'new');
    const found = await copy.read(({ facts }) => facts.after(0n, 10));
    expect(found.map(({ subjectId }) => subjectId)).to.deep.equal(['old', 'new']);
  });
});
