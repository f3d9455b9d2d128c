import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The agent whose doorbell rings for the result of another agent. */
export class Results extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`alter table "agent" add column "result_for" ${text} null`);
  }
}
