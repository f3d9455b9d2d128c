import { Migration } from '@mikro-orm/migrations';

/** When a person removed the host of an agent. */
export class RemovedHosts extends Migration {
  override up(): void {
    this.addSql('alter table "agent" add column "host_removed_at" bigint null');
  }
}
