import { Migration } from '@mikro-orm/migrations';

/**
 * What each agent is at, and how much its worktree differs from its base. Of agents that were launched before, the task is the first
 * line of what was kept of their briefing; a reviewer’s begins with its role.
 */
export class TasksAndDiffs extends Migration {
  override up(): void {
    for (const column of ['files_changed', 'lines_added', 'lines_deleted'])
      this.addSql(`alter table "agent" add column "${column}" integer not null default 0`);
    this.addSql(`alter table "agent" add column "task" text not null default ''`);
    this.addSql(
      `update "agent" set "task" = trim(substr("opening", 1, instr("opening" || char(10), char(10)) - 1))
      where "role" <> 'AGENT_ROLE_REVIEWER'`,
    );
  }
}
