import { Migration } from '@mikro-orm/migrations';

/** Sessions that are bound to no key end: whoever has the token of one could use it anywhere. */
export class BoundSessions extends Migration {
  override up(): void {
    this.addSql('delete from "session"');
  }
}
