import { Migration } from '@mikro-orm/migrations';

/** What each agent that waits asks a person. */
export class WaitingFor extends Migration {
  override up(): void {
    this.addSql(`alter table "agent" add column "waiting_for" text not null default ''`);
  }
}
