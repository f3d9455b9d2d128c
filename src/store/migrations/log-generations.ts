import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The starts of registries on this database, by which cursors of a log that a copy has replaced are told. */
export class LogGenerations extends Migration {
  override up(): void {
    const { serial, text } = dialectOf(this.driver).types;
    this.addSql(`create table "log_generation" (
      "ordinal" ${serial},
      "id" ${text} not null,
      "facts" bigint not null,
      "moves" bigint not null,
      "records" bigint not null
    )`);
  }
}
