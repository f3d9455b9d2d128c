import { Migration } from '@mikro-orm/migrations';

/** Which machine, since which start of it, each host is. */
export class HostHolders extends Migration {
  override up(): void {
    this.addSql('alter table "host" add column "holder" json null');
  }
}
