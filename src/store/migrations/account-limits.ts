import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Accounts that are limited, why agents are parked, and what workflows do then. */
export class AccountLimits extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`create table "account_limit" (
      "key" ${text} not null primary key, "kind" ${text} not null, "account" text not null, "since" bigint not null,
      "until" bigint null, "due" bigint null, "looks" integer not null
    )`);
    this.addSql(`alter table "agent" add column "park" json null`);
    this.addSql(`alter table "workflow" add column "on_usage_limit" ${text} null`);
  }
}
