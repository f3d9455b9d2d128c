import { Migration } from '@mikro-orm/migrations';
import type { ColumnTypes } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';

const statements = ({ boolean, text }: ColumnTypes): readonly string[] => [
  `create table "review_round" (
    "id" ${text} not null primary key,
    "agent_id" ${text} not null,
    "ordinal" integer not null,
    "base" ${text} not null,
    "base_sha" ${text} not null,
    "snapshot_sha" ${text} not null,
    "tree_sha" ${text} not null,
    "started_by" ${text} not null,
    "created_at" bigint not null,
    "changed_files" integer not null,
    "left_out" json not null,
    "left_out_count" integer not null
  )`,
  'create unique index "review_round_ordinal" on "review_round" ("agent_id", "ordinal")',
  `create table "review" (
    "id" ${text} not null primary key,
    "agent_id" ${text} not null,
    "author" ${text} not null,
    "snapshot" json not null,
    "round_id" ${text} null,
    "created_at" bigint not null,
    "released_at" bigint null,
    "closed_at" bigint null
  )`,
  'create index "review_by_agent" on "review" ("agent_id", "released_at")',
  'create unique index "review_open" on "review" ("agent_id", "author") where closed_at is null',
  `create table "review_thread" (
    "id" ${text} not null primary key,
    "agent_id" ${text} not null,
    "review_id" ${text} not null,
    "round_id" ${text} not null,
    "author" ${text} not null,
    "base_sha" ${text} not null,
    "file_path" ${text} not null,
    "old_start" integer null,
    "old_end" integer null,
    "new_start" integer null,
    "new_end" integer null,
    "quoted_lines" json not null,
    "unread_by_human" ${boolean} not null,
    "created_at" bigint not null,
    "updated_at" bigint not null,
    "released_at" bigint null,
    "resolved_at" bigint null
  )`,
  'create index "review_thread_by_agent" on "review_thread" ("agent_id", "updated_at", "id")',
  'create index "review_thread_by_review" on "review_thread" ("review_id")',
  `create table "review_message" (
    "id" ${text} not null primary key,
    "thread_id" ${text} not null,
    "agent_id" ${text} not null,
    "review_id" ${text} null,
    "author" ${text} not null,
    "body" ${text} not null,
    "suggestion" json not null,
    "created_at" bigint not null,
    "updated_at" bigint not null,
    "sent_at" bigint null,
    "doorbell_id" ${text} null
  )`,
  'create index "review_message_by_thread" on "review_message" ("thread_id", "id")',
  'create index "review_message_by_review" on "review_message" ("review_id")',
  'create index "review_message_by_doorbell" on "review_message" ("agent_id", "doorbell_id")',
  `create table "review_reading" (
    "agent_id" ${text} not null,
    "reader" ${text} not null,
    "round_id" ${text} not null,
    primary key ("agent_id", "reader")
  )`,
  `alter table "doorbell" add column "for_review" ${boolean} not null default false`,
  `alter table "agent" add column "tree_standing" ${text} null`,
  `alter table "agent" add column "tree_standing_sha" ${text} null`,
  `alter table "agent" add column "moved_since_round" ${text} null`,
  'alter table "agent" add column "local_review_rounds" integer not null default 0',
  `alter table "agent" add column "local_review_verdict" ${text} null`,
  `alter table "agent" add column "local_review_tree" ${text} null`,
];

/** Review rounds, batches of comments and their threads, and what an agent's row shows of them. */
export class Reviews extends Migration {
  override up(): void {
    for (const statement of statements(dialectOf(this.driver).types)) this.addSql(statement);
  }
}
