import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** What separates the agents of workflows and schedules from their hosts, and what they may reach. */
export class IsolationSettings extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`alter table "workflow" add column "isolation" ${text} null`);
    this.addSql(`alter table "workflow" add column "grants" json not null default '{}'`);
    this.addSql(`alter table "agent" add column "refused_connections" json not null default '[]'`);
    this.addSql(`alter table "schedule" add column "isolation" ${text} null`);
  }
}
