import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** When an agent's CLI ended, and whether its terminal ended with it. Both are unknown for CLIs that had ended before. */
export class LostWindows extends Migration {
  override up(): void {
    const { boolean } = dialectOf(this.driver).types;
    this.addSql('alter table "agent" add column "ended_at" bigint null');
    this.addSql(`alter table "agent" add column "window_lost" ${boolean} not null default false`);
  }
}
