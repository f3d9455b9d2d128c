import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Which schedules are paused because firings failed in a row. Before, only the text of the reason showed it. */
export class StuckSchedules extends Migration {
  override up(): void {
    if (!dialectOf(this.driver).hasOldRows) return;
    this.addSql(
      `update "schedule" set "snapshot" = json_set("snapshot", '$.context.isStuck', json('true'))
        where json_extract("snapshot", '$.context.reason') like 'paused after % failed firings in a row%'`,
    );
  }
}
