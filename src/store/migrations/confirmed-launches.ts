import { Migration } from '@mikro-orm/migrations';

/** The launches from each host's rule files that people confirmed. */
export class ConfirmedLaunches extends Migration {
  override up(): void {
    this.addSql(`alter table "host" add column "confirmed_launches" json not null default '{}'`);
  }
}
