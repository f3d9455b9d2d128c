import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The question of each agent that waits for a person. */
export class WaitingFor extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`alter table "agent" add column "waiting_for" ${text} not null default ''`);
  }
}
