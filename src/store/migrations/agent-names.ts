import { Migration } from '@mikro-orm/migrations';

/** The index for finding agents, including archived ones, by name or by the start of a name. */
export class AgentNames extends Migration {
  override up(): void {
    this.addSql('create index "agent_by_name" on "agent" ("standing", "name")');
  }
}
