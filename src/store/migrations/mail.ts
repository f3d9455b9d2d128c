import { Migration } from '@mikro-orm/migrations';
import type { ColumnTypes } from '#store/database/dialect.ts';
import { dialectOf } from '#store/database/dialect-of.ts';

const statements = ({ boolean, serial, text }: ColumnTypes): readonly string[] => [
  `create table "mail" (
    "seq" ${serial},
    "id" ${text} not null,
    "to_agent_id" ${text} not null,
    "sender" ${text} not null,
    "sender_name" ${text} not null,
    "sender_role" ${text} not null,
    "subject" ${text} not null,
    "body" ${text} not null,
    "opening" ${text} not null,
    "opening_cut" ${boolean} not null,
    "kind" ${text} not null,
    "in_reply_to" ${text} null,
    "set_off_by" ${text} null,
    "hops" integer not null,
    "idempotency_key" ${text} null,
    "claim_id" ${text} null,
    "sent_at" bigint not null,
    "rung_at" bigint null,
    "taken_at" bigint null
  )`,
  'create index "mail_by_recipient" on "mail" ("to_agent_id", "seq")',
  'create index "mail_waiting" on "mail" ("to_agent_id", "seq") where taken_at is null',
  'create index "mail_by_claim" on "mail" ("to_agent_id", "claim_id")',
  'create index "mail_by_sender" on "mail" ("sender", "seq")',
  'create index "mail_by_cause" on "mail" ("set_off_by")',
  'create unique index "mail_id" on "mail" ("id")',
  'create unique index "mail_idempotency" on "mail" ("sender", "idempotency_key")',
  `create table "doorbell" (
    "id" ${text} not null primary key,
    "agent_id" ${text} not null,
    "snapshot" json not null,
    "raised_at" bigint not null,
    "rung_at" bigint null,
    "closed_at" bigint null
  )`,
  'create unique index "doorbell_open" on "doorbell" ("agent_id") where closed_at is null',
  'alter table "agent" add column "unread_mail" integer not null default 0',
  'alter table "agent" add column "bell" json null',
  'alter table "agent" add column "bell_raised_at" bigint null',
  'alter table "agent" add column "bell_rung_at" bigint null',
];

/** Mail between agents, their doorbells, and what an agent's row shows of both. */
export class MailTables extends Migration {
  override up(): void {
    for (const statement of statements(dialectOf(this.driver).types)) this.addSql(statement);
  }
}
