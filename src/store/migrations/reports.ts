import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** What each agent's CLI last reported, and its conversation. */
export class Reports extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`alter table "agent" add column "reported_reason" ${text} not null default ''`);
    this.addSql(`alter table "agent" add column "session_id" ${text} null`);
  }
}
