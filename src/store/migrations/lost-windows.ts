import { Migration } from '@mikro-orm/migrations';

/** When an agent's CLI ended, and whether with its terminal. Of those that had ended before, neither is known. */
export class LostWindows extends Migration {
  override up(): void {
    this.addSql('alter table "agent" add column "ended_at" bigint null');
    this.addSql('alter table "agent" add column "window_lost" integer not null default false');
  }
}
