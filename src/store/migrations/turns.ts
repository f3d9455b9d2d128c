import { Migration } from '@mikro-orm/migrations';

/** How many turns an agent has finished, which is unknown for existing agents. */
export class Turns extends Migration {
  override up(): void {
    this.addSql('alter table "agent" add column "turns" integer null');
  }
}
