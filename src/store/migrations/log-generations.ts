import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The generations of the logs, by which cursors of a log that a restored copy has replaced are recognized. */
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
