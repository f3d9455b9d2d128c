import { Migration } from '@mikro-orm/migrations';
import { columnTypes } from '#store/database/sqlite.ts';

/**
 * Which version of its CLI an agent was started with, of those that were there before not known; and whether that CLI
 * asks where its screen does not.
 */
export class HarnessVersions extends Migration {
  override up(): void {
    this.addSql('alter table "agent" add column "harness_version" text null');
    this.addSql(`alter table "agent" add column "asks_unseen" ${columnTypes.boolean} not null default false`);
  }
}
