import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** When the state of an agent whose host is lost was last known. */
export class LastKnown extends Migration {
  override up(): void {
    this.addSql('alter table "agent" add column "last_known_at" bigint null');
    if (!dialectOf(this.driver).hasOldRows) return;
    this.addSql(`update "agent" set "last_known_at" = (
      select "seen_at" from "host" where "host"."id" = "agent"."host_id" and "host"."snapshot" ->> '$.value' = 'lost'
    ) where "standing" <> 'gone'`);
  }
}
