import { Migration } from '@mikro-orm/migrations';
import type { ColumnTypes } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';

const statements = ({ boolean, serial, text }: ColumnTypes): readonly string[] => [
  `create table "fact" (
    "seq" ${serial},
    "kind" ${text} not null,
    "subject_id" ${text} not null,
    "at" bigint not null,
    "detail" json not null
  )`,
  'create index "fact_by_subject" on "fact" ("subject_id", "seq")',
  `create table "deadline" (
    "owner" ${text} not null,
    "owner_id" ${text} not null,
    "name" ${text} not null,
    "due_at" bigint not null,
    primary key ("owner", "owner_id", "name")
  )`,
  'create index "deadline_by_due" on "deadline" ("due_at")',
  `create table "setting" ("name" ${text} not null primary key, "value" ${text} not null)`,
  `create table "host" (
    "id" ${text} not null primary key,
    "name" ${text} not null,
    "harnesses" json not null,
    "snapshot" json not null,
    "seen_at" bigint not null
  )`,
  `create table "workflow" (
    "id" ${text} not null primary key,
    "name" ${text} not null,
    "cwd" ${text} not null,
    "flags" ${text} not null,
    "harness" ${text} not null,
    "context" ${text} not null,
    "provision_enabled" ${boolean} null,
    "role" ${text} null,
    "base_branch" ${text} not null,
    "host" ${text} not null,
    "scripts" json not null,
    "copy_files" json not null,
    "created_at" bigint not null,
    "updated_at" bigint not null
  )`,
  'create index "workflow_by_update" on "workflow" ("updated_at", "id")',
  'create unique index "workflow_name" on "workflow" ("name")',
  `create table "agent" (
    "id" ${text} not null primary key,
    "family" ${text} not null,
    "host_id" ${text} not null,
    "epoch" integer not null,
    "version" integer not null,
    "snapshot" json not null,
    "launch" json not null,
    "briefing" ${text} not null,
    "opening" ${text} not null,
    "opening_cut" ${boolean} not null,
    "workflow_id" ${text} not null,
    "role" ${text} not null,
    "parent_agent_id" ${text} null,
    "spawned_by_agent_id" ${text} null,
    "schedule_id" ${text} null,
    "created_by" ${text} not null,
    "idempotency_key" ${text} null,
    "mark" ${text} null,
    "name" ${text} not null,
    "standing" ${text} not null,
    "state" ${text} not null,
    "state_reason" ${text} not null,
    "alive" ${boolean} not null,
    "pane_id" ${text} null,
    "cwd" ${text} not null,
    "branch" ${text} null,
    "head_sha" ${text} null,
    "repository_url" ${text} null,
    "sequence_in_progress" ${boolean} not null,
    "worktree_removed" ${boolean} not null,
    "created_at" bigint not null,
    "updated_at" bigint not null,
    "state_changed_at" bigint not null,
    "archived_at" bigint null,
    "moved_seq" bigint not null,
    "record_seq" bigint not null,
    constraint "agent_host_id_foreign" foreign key ("host_id") references "host" ("id")
      on update no action on delete no action
  )`,
  'create index "agent_by_update" on "agent" ("standing", "updated_at", "id")',
  'create index "agent_by_move" on "agent" ("moved_seq")',
  'create index "agent_by_host" on "agent" ("host_id", "record_seq")',
  'create index "agent_by_parent" on "agent" ("parent_agent_id")',
  'create index "agent_by_workflow" on "agent" ("workflow_id")',
  'create unique index "agent_record" on "agent" ("record_seq")',
  `create unique index "agent_present_name" on "agent" ("name") where standing = 'present'`,
  'create unique index "agent_mark" on "agent" ("mark")',
  'create unique index "agent_idempotency" on "agent" ("created_by", "idempotency_key")',
  `create table "effect" (
    "key" ${text} not null primary key,
    "agent_id" ${text} not null,
    "version" integer not null,
    "place" integer not null,
    "kind" ${text} not null,
    "params" json not null,
    constraint "effect_agent_id_foreign" foreign key ("agent_id") references "agent" ("id")
      on update no action on delete no action
  )`,
  'create index "effect_by_agent" on "effect" ("agent_id", "version", "place")',
  `create table "credential" (
    "hash" ${text} not null primary key,
    "agent_id" ${text} null,
    "generation" integer not null,
    "created_at" bigint not null,
    constraint "credential_agent_id_foreign" foreign key ("agent_id") references "agent" ("id")
      on update no action on delete no action
  )`,
  'create index "credential_by_agent" on "credential" ("agent_id")',
];

/** The tables of the first release: agents, workflows, hosts, credentials, the log and the deadlines. */
export class FirstTables extends Migration {
  override up(): void {
    for (const statement of statements(dialectOf(this.driver).types)) this.addSql(statement);
  }
}
