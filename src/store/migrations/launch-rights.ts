import { Migration } from '@mikro-orm/migrations';

const statements = [
  `alter table "workflow" add column "agents_may_launch" json not null default '{}'`,
  `alter table "workflow" add column "pre_approved_tools" json not null default '[]'`,
  'create index "agent_by_spawner" on "agent" ("spawned_by_agent_id")',
  'alter table "agent" add column "gone_at" bigint null',
  `update "agent" set "gone_at" = "updated_at" where "standing" = 'gone'`,
];

/** What a workflow lets its agents launch, which agent launched which, and when agents were deleted. */
export class LaunchRights extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
