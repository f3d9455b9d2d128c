import { expect } from 'chai';
import { viewOf } from '#machines/agent/agent-view.ts';
import { readDatabaseAddress } from '#store/postgres/database-address.ts';
import { inspectDatabase } from '#store/postgres/database-inspection.ts';
import { PostgresEngine } from '#store/postgres/postgres-engine.ts';
import { openStore, type Store } from '#store/store.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { PostgresPair } from '#test/support/postgres/postgres-pair.ts';
import { superuser } from '#test/support/postgres/postgres-server.ts';
import { randomFrom } from '#test/support/random.ts';
import { Relay } from '#test/support/relay.ts';
import { testClock } from '#test/support/test-clock.ts';

describe('a database on a primary and a standby', () => {
  let pair: PostgresPair;
  let relays: Relay[];
  let store: Store;

  before(async () => {
    pair = await PostgresPair.start();
    await pair.execute('postgres', 'create database muster');
    relays = [await Relay.open(() => pair.portOf('postgres-1')), await Relay.open(() => pair.portOf('postgres-2'))];
    store = await openStore({ engine: new PostgresEngine(address(), randomFrom(1)), clock: testClock(), viewOf });
  });
  after(async () => {
    await store.close();
    for (const relay of relays) await relay.close();
    await pair.remove();
  });

  const address = () =>
    readDatabaseAddress(
      `postgres://${superuser}@${relays.map(({ port }) => `127.0.0.1:${port}`).join(',')}/muster`,
      undefined,
    );
  const put = (value: string) => store.write(({ settings }) => settings.put('count', value));
  const value = () => store.read(({ settings }) => settings.get('count'));
  /** The relay in front of the primary. */
  const primaryRelay = () => relays[pair.primary === 'postgres-1' ? 0 : 1];

  it('is written on the standby after its promotion, and keeps all acknowledged writes', async () => {
    await put('before');
    const old = pair.primary;
    await pair.failOver();
    expect(pair.primary).not.to.equal(old);
    await moment('it is written to', () =>
      put('after').then(
        () => true,
        () => false,
      ),
    );
    expect(await value()).to.equal('after');
    await pair.rebuildStandby();
    const { found } = await inspectDatabase(address(), async () => undefined);
    expect(found).to.contain(' or 127.0.0.1:');
  });

  it('is unavailable within seconds if the network drops everything, and works again afterwards', async () => {
    await put('before');
    primaryRelay()?.cut();
    const begun = performance.now();
    const failure = await failureOf(() => put('lost'));
    expect(failure.reason).to.be.oneOf(['DATABASE_UNAVAILABLE', 'COMMIT_UNKNOWN']);
    expect(performance.now() - begun).to.be.below(8_000);
    // From then on no caller waits for the silent server, however many there are.
    await failureOf(() => put('lost'));
    const asked = performance.now();
    const reasons = await Promise.all(Array.from({ length: 20 }, () => failureOf(() => put('lost'))));
    expect(new Set(reasons.map(({ reason }) => reason))).to.deep.equal(new Set(['DATABASE_UNAVAILABLE']));
    expect(performance.now() - asked).to.be.below(1_000);
    primaryRelay()?.mend();
    await moment('it is written to', () =>
      put('again').then(
        () => true,
        () => false,
      ),
    );
    expect(await value()).to.equal('again');
  });

  it('releases rows of a registry that stops during its work, and keeps none of its writes', async () => {
    await put('before');
    const resumed = Promise.withResolvers<void>();
    const stopped = failureOf(() =>
      store.write(async ({ settings }) => {
        await settings.put('count', 'stopped');
        await resumed.promise;
        await settings.put('count', 'resumed');
      }),
    );
    const other = await openStore({
      engine: new PostgresEngine(address(), randomFrom(1)),
      clock: testClock(),
      viewOf,
    });
    await other.write(({ settings }) => settings.put('count', 'other'));
    await other.close();
    resumed.resolve();
    expect((await stopped).code).to.be.oneOf(['unavailable', 'aborted']);
    expect(await value()).to.equal('other');
  });

  it('waits for a long statement while its server answers', async () => {
    await pair.execute(
      'muster',
      `create function wait_long() returns trigger language plpgsql as $$ begin perform pg_sleep(3); return new; end $$`,
      'create trigger slow before update on "setting" for each row execute function wait_long()',
    );
    await put('slow');
    await pair.execute('muster', 'drop trigger slow on "setting"');
    expect(await value()).to.equal('slow');
  });
});
