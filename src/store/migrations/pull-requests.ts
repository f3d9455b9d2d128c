import { Migration } from '@mikro-orm/migrations';
import type { ColumnTypes } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';

const statements = ({ boolean, text }: ColumnTypes): readonly string[] => [
  `create table "repository" (
    "id" ${text} not null primary key,
    "address" ${text} not null,
    "spelled" ${text} not null,
    "url" ${text} null,
    "place" ${text} null,
    "same_as" ${text} null,
    "connection_id" ${text} null,
    "snapshot" json not null,
    "state" ${text} not null,
    "due_at" bigint null,
    "swept_at" bigint null,
    "whole_at" bigint null,
    "mark" ${text} null,
    "newest_at" bigint null,
    "branches" json not null,
    "cost" integer not null,
    "allowance" integer null,
    "parent" ${text} null,
    "warning" ${text} null,
    "created_at" bigint not null
  )`,
  'create unique index "repository_address" on "repository" ("address")',
  'create index "repository_by_due" on "repository" ("due_at")',
  'create index "repository_by_place" on "repository" ("place")',
  'create index "repository_by_connection" on "repository" ("connection_id")',
  `create table "pull_request" (
    "id" ${text} not null primary key,
    "repository_id" ${text} not null,
    "forge" ${text} not null,
    "provider_id" ${text} not null,
    "url" ${text} not null,
    "repository_url" ${text} not null,
    "target" ${text} not null,
    "head_repository_url" ${text} not null,
    "own" ${boolean} not null,
    "number" integer not null,
    "title" ${text} not null,
    "head_branch" ${text} not null,
    "head_sha" ${text} not null,
    "base_branch" ${text} not null,
    "base_sha" ${text} not null,
    "draft" ${boolean} not null,
    "forge_state" ${text} not null,
    "state" ${text} not null,
    "review_decision" ${text} not null,
    "checks" ${text} not null,
    "mergeability" ${text} not null,
    "merge" json not null,
    "in_merge_queue" ${boolean} not null,
    "failing_checks" json not null,
    "opened_at" bigint not null,
    "changed_at" bigint not null,
    "merged_at" bigint null,
    "closed_at" bigint null,
    "told" json not null,
    "updated_at" bigint not null
  )`,
  'create unique index "pull_request_provider" on "pull_request" ("repository_id", "provider_id")',
  'create index "pull_request_by_branch" on "pull_request" ("repository_id", "head_branch")',
  'create index "pull_request_by_update" on "pull_request" ("updated_at", "id")',
  'create index "pull_request_by_target" on "pull_request" ("target", "updated_at", "id")',
  'create index "pull_request_by_state" on "pull_request" ("state", "updated_at", "id")',
  'create index "pull_request_by_end" on "pull_request" ("closed_at")',
  `create index "pull_request_open" on "pull_request" ("repository_id", "head_branch") where own and forge_state = 'OPEN'`,
  'create index "agent_by_repository" on "agent" ("standing", "repository_url", "branch", "alive")',
  'create index "agent_by_branch" on "agent" ("branch")',
  `alter table "workflow" add column "mail_on_pull_request" json not null default '[]'`,
];

/** Repositories, their pull requests as last read, and about which problems a workflow's agents are mailed. */
export class PullRequests extends Migration {
  override up(): void {
    for (const statement of statements(dialectOf(this.driver).types)) this.addSql(statement);
  }
}
