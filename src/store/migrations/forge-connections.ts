import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Forges that people connected. */
export class ForgeConnections extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`create table "forge_connection" (
      "id" ${text} not null primary key,
      "host" ${text} not null,
      "kind" ${text} not null,
      "root" ${text} not null,
      "credential" json not null,
      "created_at" bigint not null
    )`);
    this.addSql('create unique index "forge_connection_host" on "forge_connection" ("host")');
  }
}
