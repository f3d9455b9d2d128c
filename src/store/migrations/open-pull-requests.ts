import { Migration } from '@mikro-orm/migrations';

/** The index that databases lack which were made in the hour before it stood among the tables of pull requests. */
export class OpenPullRequests extends Migration {
  override up(): void {
    this.addSql(
      'create index if not exists "pull_request_open" on "pull_request" ("repository_id", "head_branch") ' +
        `where own and forge_state = 'OPEN'`,
    );
  }
}
