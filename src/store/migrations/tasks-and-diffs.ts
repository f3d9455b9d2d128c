import { Migration } from '@mikro-orm/migrations';
import { dialectOf } from '#store/database/dialect-of.ts';

/**
 * The task of each agent, and how much its worktree differs from its base. The task of an existing agent is the first
 * line of the stored start of its briefing, which for a reviewer begins with its role.
 */
export class TasksAndDiffs extends Migration {
  override up(): void {
    const { types, hasOldRows } = dialectOf(this.driver);
    for (const column of ['files_changed', 'lines_added', 'lines_deleted'])
      this.addSql(`alter table "agent" add column "${column}" integer not null default 0`);
    this.addSql(`alter table "agent" add column "task" ${types.text} not null default ''`);
    if (!hasOldRows) return;
    this.addSql(
      `update "agent" set "task" = trim(substr("opening", 1, instr("opening" || char(10), char(10)) - 1))
      where "role" <> 'AGENT_ROLE_REVIEWER'`,
    );
  }
}
