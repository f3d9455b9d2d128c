import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** How the CLIs of agents ended, and the results that agents report. */
export class EndingsAndResults extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`alter table "agent" add column "ending" json null`);
    this.addSql(`alter table "agent" add column "result_at" bigint null`);
    this.addSql(`create table "agent_result" (
      "agent" ${text} not null primary key, "schema" text null, "text" text null, "turns" integer not null default 0,
      "reported_at" bigint null
    )`);
  }
}
