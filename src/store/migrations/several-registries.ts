import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** What several registries share: their leases, including the leader's, and what hosts reported to any of them. */
export class SeveralRegistries extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`create table "lease" (
      "name" ${text} not null primary key, "holder" ${text} not null, "term" integer not null,
      "ends_at" bigint not null, "detail" json not null
    )`);
    this.addSql('alter table "host" add column "key_epoch" integer not null default 0');
    this.addSql('alter table "host" add column "figures" json null');
    this.addSql(`alter table "host" add column "found_terminals" json not null default '[]'`);
  }
}
