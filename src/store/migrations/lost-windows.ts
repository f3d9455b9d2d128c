import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** When an agent's CLI ended, and whether with its terminal. Of those that had ended before, neither is known. */
export class LostWindows extends Migration {
  override up(): void {
    const { boolean } = dialectOf(this.driver).types;
    this.addSql('alter table "agent" add column "ended_at" bigint null');
    this.addSql(`alter table "agent" add column "window_lost" ${boolean} not null default false`);
  }
}
