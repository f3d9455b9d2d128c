import { Migration } from '@mikro-orm/migrations';

/** The variables that a workflow adds to the environment of its agents. */
export class WorkflowEnvironment extends Migration {
  override up(): void {
    this.addSql(`alter table "workflow" add column "environment" json not null default '[]'`);
  }
}
