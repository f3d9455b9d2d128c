import { Migration } from '@mikro-orm/migrations';

/** Which agent is called to the results of another one. */
export class Results extends Migration {
  override up(): void {
    this.addSql('alter table "agent" add column "result_for" text null');
  }
}
