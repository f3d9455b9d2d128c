import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/**
 * Which version of its CLI an agent was started with, of those that were there before not known; and whether that CLI
 * asks where its screen does not.
 */
export class HarnessVersions extends Migration {
  override up(): void {
    const { boolean, text } = dialectOf(this.driver).types;
    this.addSql(`alter table "agent" add column "harness_version" ${text} null`);
    this.addSql(`alter table "agent" add column "asks_unseen" ${boolean} not null default false`);
  }
}
