import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** The public key of each host. */
export class HostKeys extends Migration {
  override up(): void {
    const { text } = dialectOf(this.driver).types;
    this.addSql(`alter table "host" add column "key" ${text} null`);
  }
}
