import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Launches that wait for a host, and by which labels workflows select their hosts. */
export class QueuedLaunches extends Migration {
  override up(): void {
    const { boolean, text } = dialectOf(this.driver).types;
    this.addSql(`alter table "agent" add column "queued" ${boolean} not null default false`);
    this.addSql(`create index "agent_by_queue" on "agent" ("queued", "standing")`);
    this.addSql(`create table "queued_launch" (
      "agent_id" ${text} not null primary key, "queued_at" bigint not null, "request" json not null,
      "caller" json not null,
      constraint "queued_launch_agent_id_foreign" foreign key ("agent_id") references "agent" ("id")
    )`);
    this.addSql(`alter table "workflow" add column "host_selector" json not null default '[]'`);
  }
}
