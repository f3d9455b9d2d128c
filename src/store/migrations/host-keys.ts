import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The key that each host is known by. */
export class HostKeys extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`alter table "host" add column "key" ${text} null`);
  }
}
