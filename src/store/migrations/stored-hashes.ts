import { Migration } from '@mikro-orm/migrations';
import { storedHashOf } from '#store/access/stored-hash.ts';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Stores a hash of what crosses the bus instead of that itself, and the purpose of each token of an agent. */
export class StoredHashes extends Migration {
  override async up(): Promise<void> {
    const { text } = dialectOf(this.driver).types;
    for (const table of ['credential', 'session']) {
      const rows = (await this.execute(`select "hash" from "${table}"`)) as { readonly hash: string }[];
      for (const { hash } of rows) {
        await this.execute(`update "${table}" set "hash" = ? where "hash" = ?`, [storedHashOf(hash), hash]);
      }
    }
    this.addSql(`alter table "credential" add column "purpose" ${text} not null default 'window'`);
  }
}
