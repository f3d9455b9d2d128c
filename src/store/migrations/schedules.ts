import { Migration } from '@mikro-orm/migrations';
import type { ColumnTypes } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';

const statements = ({ boolean, serial, text }: ColumnTypes): readonly string[] => [
  `create table "schedule" (
    "id" ${text} not null primary key,
    "name" ${text} not null,
    "cron" ${text} not null,
    "timezone" ${text} not null,
    "hide_agents" ${boolean} not null,
    "prompt" ${text} not null,
    "workflow_id" ${text} not null,
    "missed" ${text} not null,
    "catch_up" bigint not null,
    "overlap" ${text} not null,
    "jitter" bigint not null,
    "max_attempts" integer not null,
    "pause_after" integer not null,
    "snapshot" json not null,
    "decided_up_to" bigint not null,
    "next_at" bigint null,
    "created_at" bigint not null,
    "updated_at" bigint not null,
    "moved_seq" bigint not null
  )`,
  'create unique index "schedule_name" on "schedule" ("name")',
  'create index "schedule_by_next" on "schedule" ("next_at")',
  'create index "schedule_by_update" on "schedule" ("updated_at", "id")',
  'create index "schedule_by_move" on "schedule" ("moved_seq")',
  'create index "schedule_by_workflow" on "schedule" ("workflow_id")',
  `create table "firing" (
    "id" ${serial},
    "schedule_id" ${text} not null,
    "scheduled_for" bigint not null,
    "snapshot" json not null,
    "state" ${text} not null,
    "due_at" bigint null,
    "agent_id" ${text} null,
    "created_at" bigint not null,
    "finalized_at" bigint null
  )`,
  'create unique index "firing_occurrence" on "firing" ("schedule_id", "scheduled_for")',
  'create index "firing_by_due" on "firing" ("due_at")',
  'create index "firing_by_state" on "firing" ("state", "id")',
  'create index "firing_by_schedule" on "firing" ("schedule_id", "id")',
  `alter table "agent" add column "hidden" ${boolean} not null default false`,
  'create index "agent_by_schedule" on "agent" ("schedule_id")',
];

/** Schedules and their firings, and whether an agent's schedule hides it. */
export class Schedules extends Migration {
  override up(): void {
    for (const statement of statements(dialectOf(this.driver).types)) this.addSql(statement);
  }
}
