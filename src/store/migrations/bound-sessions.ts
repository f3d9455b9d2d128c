import { Migration } from '@mikro-orm/migrations';

/** Ends sessions that are not bound to a key: their tokens could be used anywhere. */
export class BoundSessions extends Migration {
  override up(): void {
    this.addSql('delete from "session"');
  }
}
