import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** What agents may use in a day, and which agents are held because it is used up. */
export class Budgets extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`create table "budget" (
      "owner" ${text} not null primary key, "limits" json not null, "used" json not null, "day_ends_at" bigint not null,
      "at_work" integer not null, "counted_at" bigint not null, "noticed" json not null, "spent" json null
    )`);
    this.addSql(`alter table "agent" add column "over_budget" json null`);
    this.addSql(`alter table "agent" add column "budget_schedule_id" ${text} null`);
    this.addSql(`update "agent" set "budget_schedule_id" = "schedule_id"`);
    this.addSql(`create index "agent_by_budget_schedule" on "agent" ("budget_schedule_id")`);
  }
}
