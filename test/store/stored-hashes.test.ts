import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import { type StoreFixture, storeFixture } from './store-fixture.ts';

describe('tokens of a database of before', () => {
  let fixture: StoreFixture;
  beforeEach(async () => {
    fixture = await storeFixture();
  });
  afterEach(() => fixture.close());

  const [operator, browser] = ['a'.repeat(64), 'b'.repeat(64)];

  /** Makes the file what it was before hashes of what travels were stored. */
  function makeOld(): void {
    const database = new DatabaseSync(fixture.file);
    database.exec(`delete from "mikro_orm_migrations" where "name" = '2026-12-01-stored-hashes'`);
    database.exec('alter table "credential" drop column "purpose"');
    const credential = database.prepare(
      'insert into "credential" ("hash", "generation", "created_at") values (?, 1, 1)',
    );
    credential.run(operator);
    const far = Number.MAX_SAFE_INTEGER;
    database.prepare('insert into "session" ("hash", "created_at", "expires_at") values (?, 1, ?)').run(browser, far);
    database.close();
  }

  it('stay good, and what is stored of them is not what travels', async () => {
    makeOld();
    const store = await fixture.reopen();
    await store.read(async ({ credentials, sessions }) => {
      expect(await credentials.find(operator)).to.include({ agent: null });
      expect(await sessions.expiryOf(browser)).to.be.a('number');
    });
    const database = new DatabaseSync(fixture.file, { readOnly: true });
    const stored = database.prepare('select "hash" from "credential" union select "hash" from "session"').all();
    database.close();
    for (const { hash } of stored as { hash: string }[]) {
      expect(hash).to.match(/^[0-9a-f]{64}$/);
      expect([operator, browser]).not.to.include(hash);
      expect(await store.read(({ credentials }) => credentials.find(hash))).to.equal(undefined);
    }
  });
});
