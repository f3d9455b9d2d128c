import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Profiles, and which of them workflows and agents have. */
export class Profiles extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`create table "profile" (
      "id" ${text} not null primary key, "name" ${text} not null, "environment" json not null, "secrets" json not null,
      "home" text not null, "account" ${text} not null, "created_at" bigint not null, "updated_at" bigint not null
    )`);
    this.addSql(`create unique index "profile_name" on "profile" ("name")`);
    this.addSql(`create index "profile_by_update" on "profile" ("updated_at", "id")`);
    this.addSql(`alter table "workflow" add column "profile_id" ${text} null`);
    this.addSql(`alter table "agent" add column "profile_id" ${text} null`);
    this.addSql(`create index "agent_by_profile" on "agent" ("profile_id")`);
  }
}
