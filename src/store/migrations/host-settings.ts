import { Migration } from '@mikro-orm/migrations';

/** What people set for a host: labels, patience and limits; and since when it has been in its state. */
export class HostSettings extends Migration {
  override up(): void {
    this.addSql(`alter table "host" add column "labels" json not null default '{}'`);
    for (const column of ['patience_ms', 'max_agents', 'max_launches', 'max_setups'])
      this.addSql(`alter table "host" add column "${column}" integer null`);
    this.addSql('alter table "host" add column "state_since" bigint null');
    this.addSql('update "host" set "state_since" = "seen_at"');
  }
}
