import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** How many review threads of an agent a person has not read. */
export class UnreadThreads extends Migration {
  override up(): void {
    this.addSql('alter table "agent" add column "unread_threads" integer not null default 0');
    if (!dialectOf(this.driver).hasOldRows) return;
    this.addSql(
      `update "agent" set "unread_threads" = (select count(*) from "review_thread" t
        where t."agent_id" = "agent"."id" and t."unread_by_human" = 1)`,
    );
  }
}
