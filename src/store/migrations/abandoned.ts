import { Migration } from '@mikro-orm/migrations';
import { columnTypes } from '#store/database/sqlite.ts';

/** Which agents people gave up with their hosts. */
export class Abandoned extends Migration {
  override up(): void {
    this.addSql(`alter table "agent" add column "abandoned" ${columnTypes.boolean} not null default false`);
  }
}
