import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/**
 * The version of the CLI with which an agent was started, which is unknown for existing agents, and whether the CLI
 * reports a question that its screen does not show.
 */
export class HarnessVersions extends Migration {
  override up(): void {
    const { boolean, text } = dialectOf(this.driver).types;
    this.addSql(`alter table "agent" add column "harness_version" ${text} null`);
    this.addSql(`alter table "agent" add column "asks_unseen" ${boolean} not null default false`);
  }
}
