import { Migration } from '@mikro-orm/migrations';

/** How many turns an agent has finished. Of those that were there before, it is not known. */
export class Turns extends Migration {
  override up(): void {
    this.addSql('alter table "agent" add column "turns" integer null');
  }
}
