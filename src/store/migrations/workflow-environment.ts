import { Migration } from '@mikro-orm/migrations';

/** What a workflow adds to the environment of its agents. */
export class WorkflowEnvironment extends Migration {
  override up(): void {
    this.addSql(`alter table "workflow" add column "environment" json not null default '[]'`);
  }
}
