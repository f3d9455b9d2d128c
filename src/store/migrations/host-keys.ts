import { Migration } from '@mikro-orm/migrations';

/** The key that each host is known by. */
export class HostKeys extends Migration {
  override up(): void {
    this.addSql('alter table "host" add column "key" text null');
  }
}
