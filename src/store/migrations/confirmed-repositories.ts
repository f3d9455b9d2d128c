import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/**
 * The repositories that a person confirmed for a workflow's agents. Existing workflows have none, because an agent may
 * have chosen what its checkout pushes to, so a person must confirm them.
 */
export class ConfirmedRepositories extends Migration {
  override up(): void {
    this.addSql(`alter table "workflow" add column "repositories" json not null default '[]'`);
    this.addSql(`alter table "workflow" add column "unconfirmed_repositories" json not null default '[]'`);
    // Only agents with a worktree of their own show a branch.
    if (dialectOf(this.driver).hasOldRows)
      this.addSql(`update "agent" set "branch" = null where "launch" like '%"provision":false%'`);
    this.addSql('drop index "agent_by_repository"');
    this.addSql(
      'create index "agent_by_repository" on "agent" ("standing", "repository_url", "branch", "workflow_id", "alive")',
    );
  }
}
