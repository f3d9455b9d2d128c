import { Migration } from '@mikro-orm/migrations';

const tables = ['doorbell', 'firing', 'host', 'repository', 'review', 'schedule'];

/** Every instance of a machine has a version that its commits increment, as agents do. */
export class InstanceVersions extends Migration {
  override up(): void {
    for (const table of tables) this.addSql(`alter table "${table}" add column "version" integer not null default 1`);
  }
}
