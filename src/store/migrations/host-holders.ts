import { Migration } from '@mikro-orm/migrations';

/** The machine, and its start, that runs each host. */
export class HostHolders extends Migration {
  override up(): void {
    this.addSql('alter table "host" add column "holder" json null');
  }
}
