import { expect } from 'chai';
import { hashOf, makeToken } from '#actors/registry/access/agent-tokens.ts';
import { beginWithOperator, replaceOperator } from '#actors/registry/access/operator-token.ts';
import { viewOf } from '#machines/agent/agent-view.ts';
import { openStore, type Store } from '#store/store.ts';
import { testDatabase } from '#test/store/run-engine.ts';
import type { TestDatabase } from '#test/store/test-database.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { testClock } from '#test/support/test-clock.ts';

describe('the operator’s token at the start of a registry', () => {
  let folder: TemporaryFolder;
  let database: TestDatabase;
  let store: Store;
  const [first, second] = [makeToken(), makeToken()];

  beforeEach(async () => {
    folder = temporaryFolder('operator');
    database = await testDatabase(folder.path);
    store = await openStore({ engine: database.engine(), clock: testClock(), viewOf });
    await store.write((tables) => beginWithOperator(tables, first, { isShared: true, hasPeers: false }));
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
    folder.remove();
  });

  const begin = (token: string, hasPeers: boolean) =>
    store.write((tables) => beginWithOperator(tables, token, { isShared: true, hasPeers }));
  const isValid = (token: string) =>
    store.read(async ({ credentials }) => (await credentials.find(hashOf(token))) !== undefined);

  it('is a new one if a person replaced the file while no registry ran', async () => {
    await begin(second, false);
    expect([await isValid(first), await isValid(second)]).to.deep.equal([false, true]);
  });

  it('is refused if other registries run with another one, without effect', async () => {
    const { reason, message } = await failureOf(() => begin(second, true));
    expect(reason).to.equal('SECRET_DIFFERS');
    expect(message).to.include('operator.token').and.to.include('other registries');
    expect([await isValid(first), await isValid(second)]).to.deep.equal([true, false]);
  });

  it('is shared if registries start together on a new database, unless they differ', async () => {
    const place = temporaryFolder('operator-new');
    const fresh = await testDatabase(place.path);
    const together = await openStore({ engine: fresh.engine(), clock: testClock(), viewOf });
    const start = (token: string) =>
      together.write((tables) => beginWithOperator(tables, token, { isShared: true, hasPeers: true }));
    try {
      await start(first);
      await start(first);
      expect((await failureOf(() => start(second))).reason).to.equal('SECRET_DIFFERS');
    } finally {
      await together.close();
      await fresh.drop();
      place.remove();
    }
  });

  it('is refused once it was revoked, even if no other registry runs', async () => {
    await store.write((tables) => replaceOperator(tables, second));
    for (const hasPeers of [false, true]) {
      const { reason, message } = await failureOf(() => begin(first, hasPeers));
      expect(reason).to.equal('SECRET_DIFFERS');
      expect(message).to.include('it was revoked');
    }
    await begin(second, true);
    expect([await isValid(first), await isValid(second)]).to.deep.equal([false, true]);
  });
});
