import { Migration } from '@mikro-orm/migrations';

/** What hosts tell of their machines. */
export class HostConditions extends Migration {
  override up(): void {
    this.addSql('alter table "host" add column "condition" json null');
  }
}
