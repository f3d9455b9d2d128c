import { Migration } from '@mikro-orm/migrations';

/** What people let each host's files of rules launch. */
export class ConfirmedLaunches extends Migration {
  override up(): void {
    this.addSql(`alter table "host" add column "confirmed_launches" json not null default '{}'`);
  }
}
