import { Migration } from '@mikro-orm/migrations';

/** From how many agents at work, and below how much free space, a host takes no launches. */
export class RoomSettings extends Migration {
  override up(): void {
    this.addSql('alter table "host" add column "max_at_work" integer null');
    this.addSql('alter table "host" add column "min_disk_free_mib" integer null');
  }
}
