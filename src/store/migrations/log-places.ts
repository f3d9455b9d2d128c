import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/**
 * The server whose transaction ids are part of the positions in the logs, and the offset that is added to them. Also the
 * position up to which facts were deleted, which positions with gaps do not show.
 */
export class LogPlaces extends Migration {
  override up(): void {
    const { text, serial } = dialectOf(this.driver).types;
    this.addSql('alter table "log_generation" add column "raised" bigint null');
    this.addSql(`alter table "log_generation" add column "server" ${text} null`);
    this.addSql(`create table "forgotten_facts" ("id" ${serial}, "up_to" bigint not null)`);
    this.addSql('insert into "forgotten_facts" ("id", "up_to") select 1, coalesce(min("seq"), 1) - 1 from "fact"');
  }
}
