import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/**
 * Which repositories a person had read for a workflow's agents. Those of workflows that are there already are unknown: what their
 * agents push to now may be what an agent pointed them to, so a person confirms them.
 */
export class ConfirmedRepositories extends Migration {
  override up(): void {
    this.addSql(`alter table "workflow" add column "repositories" json not null default '[]'`);
    this.addSql(`alter table "workflow" add column "unconfirmed_repositories" json not null default '[]'`);
    // A branch is shown of agents with a worktree of their own alone.
    if (dialectOf(this.driver).hasOldRows)
      this.addSql(`update "agent" set "branch" = null where "launch" like '%"provision":false%'`);
    this.addSql('drop index "agent_by_repository"');
    this.addSql(
      'create index "agent_by_repository" on "agent" ("standing", "repository_url", "branch", "workflow_id", "alive")',
    );
  }
}
