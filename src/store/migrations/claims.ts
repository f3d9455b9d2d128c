import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** What several registries share: who is sending a notification, and the codes that sign browsers in. */
export class Claims extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql('alter table "notice" add column "fence" integer not null default 0');
    this.addSql(`create table "sign_in_code" ("hash" ${text} not null primary key, "expires_at" bigint not null)`);
  }
}
