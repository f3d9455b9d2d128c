import { Migration } from '@mikro-orm/migrations';

/** How much disk the worktrees of agents take, and what is deleted of the archived agents of a workflow. */
export class WorktreeRoom extends Migration {
  override up(): void {
    this.addSql('alter table "agent" add column "disk_bytes" bigint null');
    this.addSql('alter table "agent" add column "disk_measured_at" bigint null');
    this.addSql(`alter table "workflow" add column "archive_policy" json not null default '{}'`);
  }
}
