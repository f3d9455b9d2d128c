import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/**
 * The detail of an agent's failure, and why its deletion was refused. Earlier failures have only a reason.
 */
export class Faults extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`alter table "agent" add column "refused_deletion" ${text} not null default ''`);
    for (const column of ['fault', 'failed_run_fault'])
      this.addSql(`alter table "agent" add column "${column}" json null`);
  }
}
