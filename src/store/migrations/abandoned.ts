import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/** Which agents people abandoned together with their hosts. */
export class Abandoned extends Migration {
  override up(): void {
    const { boolean } = dialectOf(this.driver).types;
    this.addSql(`alter table "agent" add column "abandoned" ${boolean} not null default false`);
  }
}
