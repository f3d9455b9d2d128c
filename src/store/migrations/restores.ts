import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Agents that wait to be restored, and which workflows restore theirs after a restart of the computer. */
export class Restores extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`create table "pending_restore" (
      "agent_id" ${text} not null primary key, "since" bigint not null,
      constraint "pending_restore_agent_id_foreign" foreign key ("agent_id") references "agent" ("id")
    )`);
    this.addSql(`alter table "workflow" add column "on_boot" ${text} null`);
  }
}
