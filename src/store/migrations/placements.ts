import { Migration } from '@mikro-orm/migrations';

/** What is counted of the agents of each host, read from an index alone. */
export class Placements extends Migration {
  override up(): void {
    this.addSql('create index "agent_by_placement" on "agent" ("standing", "state", "host_id", "alive", "queued")');
  }
}
