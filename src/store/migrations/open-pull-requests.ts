import { Migration } from '@mikro-orm/migrations';

/** Adds an index of pull requests to databases that were made before it was part of their tables. */
export class OpenPullRequests extends Migration {
  override up(): void {
    this.addSql(
      'create index if not exists "pull_request_open" on "pull_request" ("repository_id", "head_branch") ' +
        `where own and forge_state = 'OPEN'`,
    );
  }
}
