import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Agents that move to another host, what they leave behind, and the packages of their last rounds. */
export class Departures extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`alter table "agent" add column "moving_to" ${text} null`);
    this.addSql(`alter table "agent" add column "failed_move" text not null default ''`);
    this.addSql(`create table "departure" (
      "id" ${text} not null primary key, "agent_id" ${text} not null, "host_id" ${text} not null,
      "epoch" int not null, "record" json not null, "remains" ${text} not null, "at" bigint not null
    )`);
    this.addSql(`create index "departure_by_host" on "departure" ("host_id")`);
    this.addSql(`create index "departure_by_agent" on "departure" ("agent_id")`);
    this.addSql(`create table "round_package" (
      "agent_id" ${text} not null primary key, "id" ${text} not null, "round" int not null, "bytes" bigint not null,
      "digest" ${text} not null, "needs" json not null, "not_carried" json not null, "at" bigint not null
    )`);
    this.addSql(`create table "round_piece" (
      "id" ${text} not null primary key, "agent_id" ${text} not null, "package_id" ${text} not null, "data" text not null
    )`);
    this.addSql(`create index "round_piece_by_agent" on "round_piece" ("agent_id")`);
  }
}
