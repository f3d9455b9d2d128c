import { Migration } from '@mikro-orm/migrations';

/** The index that finds an agent by its name, or the beginning of one, also among archived ones. */
export class AgentNames extends Migration {
  override up(): void {
    this.addSql('create index "agent_by_name" on "agent" ("standing", "name")');
  }
}
