import { Migration } from '@mikro-orm/migrations';

/** What hosts report about their machines. */
export class HostConditions extends Migration {
  override up(): void {
    this.addSql('alter table "host" add column "condition" json null');
  }
}
