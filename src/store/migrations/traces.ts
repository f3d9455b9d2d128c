import { Migration } from '@mikro-orm/migrations';

/** What trace an effect belongs to. */
export class Traces extends Migration {
  override up(): void {
    this.addSql('alter table "effect" add column "trace" text null');
  }
}
