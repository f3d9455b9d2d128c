import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Whether a person holds an agent, what agents record about their work, and the runs of their workflows' scripts. */
export class HeldAndRuns extends Migration {
  override up(): void {
    const { boolean, serial, text } = dialectOf(this.driver).types;
    this.addSql('alter table "agent" add column "held_at" bigint null');
    this.addSql(`alter table "agent" add column "metadata" json not null default '[]'`);
    this.addSql('alter table "agent" add column "failed_run_log" integer null');
    this.addSql(`create table "run" (
      "id" ${serial},
      "effect" ${text} not null,
      "agent_id" ${text} not null,
      "host_id" ${text} not null,
      "script" ${text} not null,
      "started_at" bigint not null,
      "ended_at" bigint null,
      "acknowledged_at" bigint null,
      "state" ${text} not null,
      "reason" ${text} not null,
      "tail" ${text} not null,
      "output" ${text} not null,
      "output_cut" ${boolean} not null
    )`);
    this.addSql('create index "run_by_agent" on "run" ("agent_id", "id")');
    this.addSql('create unique index "run_effect" on "run" ("effect")');
  }
}
