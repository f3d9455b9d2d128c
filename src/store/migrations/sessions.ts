import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The browsers in which a person is signed in. */
export class Sessions extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`create table "session" (
      "hash" ${text} not null primary key,
      "created_at" bigint not null,
      "expires_at" bigint not null
    )`);
  }
}
