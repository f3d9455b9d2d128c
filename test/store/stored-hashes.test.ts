import { expect } from 'chai';
import { changeElsewhere } from './other-process.ts';
import { rowsOfFile } from './rows-of-file.ts';
import { type StoreFixture, storeFixture } from './store-fixture.ts';

describe('an older database’s tokens', () => {
  let fixture: StoreFixture;
  beforeEach(async () => {
    fixture = await storeFixture();
  });
  afterEach(() => fixture.close());

  const [operator, browser] = ['a'.repeat(64), 'b'.repeat(64)];

  /** Makes the file what it was before hashes of what travels were stored. */
  function makeOld(): void {
    const far = Number.MAX_SAFE_INTEGER;
    changeElsewhere(
      fixture.file,
      `delete from "mikro_orm_migrations" where "name" = '2026-12-01-stored-hashes'`,
      'alter table "credential" drop column "purpose"',
      `insert into "credential" ("hash", "generation", "created_at") values ('${operator}', 1, 1)`,
      `insert into "session" ("hash", "created_at", "expires_at") values ('${browser}', 1, ${far})`,
    );
  }

  it('stay valid, and their stored form is not what crosses the bus', async () => {
    makeOld();
    const store = await fixture.reopen();
    await store.read(async ({ credentials, sessions }) => {
      expect(await credentials.find(operator)).to.include({ agent: null });
      expect(await sessions.expiryOf(browser)).to.be.a('number');
    });
    const stored = rowsOfFile(fixture.file, 'select "hash" from "credential" union select "hash" from "session"');
    for (const { hash } of stored) {
      expect(hash).to.match(/^[0-9a-f]{64}$/);
      expect([operator, browser]).not.to.include(hash);
      expect(await store.read(({ credentials }) => credentials.find(String(hash)))).to.equal(undefined);
    }
  });
});
