import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Whom a workflow notifies, and the notifications that are to be sent. */
export class Notices extends Migration {
  override up(): void {
    const { serial, text } = dialectOf(this.driver).types;
    this.addSql(`alter table "workflow" add column "notify" json not null default '{}'`);
    this.addSql(`create table "notice" (
      "id" ${serial},
      "agent_id" ${text} not null,
      "through" ${text} not null,
      "target" ${text} not null,
      "body" ${text} not null,
      "tries" integer not null,
      "due_at" bigint not null
    )`);
    this.addSql('create index "notice_by_due" on "notice" ("due_at")');
  }
}
