import { Migration } from '@mikro-orm/migrations';

/** What an installation that has ever run has at least one row of. */
const kept = ['setting', 'workflow', 'host', 'agent'];

/** Installations that exist keep their default for new workflows: no isolation. */
export class DefaultIsolation extends Migration {
  override up(): void {
    const has = kept.map((table) => `exists (select 1 from "${table}")`);
    this.addSql(`insert into "setting" ("name", "value") select 'default-isolation', 'none' where ${has.join(' or ')}`);
  }
}
