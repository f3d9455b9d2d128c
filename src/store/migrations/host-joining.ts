import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Invitations for machines to join as hosts, and the machines that did. */
export class HostJoining extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`create table "host_invitation" (
      "id" ${text} not null primary key,
      "token_hash" ${text} not null,
      "name" ${text} null,
      "labels" json not null default '{}',
      "created_at" bigint not null,
      "expires_at" bigint not null,
      "ended_at" bigint null,
      "host_id" ${text} null
    )`);
    this.addSql('create unique index "host_invitation_token_hash_unique" on "host_invitation" ("token_hash")');
    this.addSql(`create table "joined_host" (
      "host_id" ${text} not null primary key,
      "name" ${text} not null,
      "labels" json not null default '{}',
      "host_key" ${text} not null,
      "gateway_key" ${text} not null,
      "joined_at" bigint not null,
      "certified_until" bigint not null,
      "removed_at" bigint null
    )`);
    this.addSql('create unique index "joined_host_host_key_unique" on "joined_host" ("host_key")');
    this.addSql('create unique index "joined_host_gateway_key_unique" on "joined_host" ("gateway_key")');
  }
}
