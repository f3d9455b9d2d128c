import { type EntityManager, raw } from '@mikro-orm/sql';
import type { PullRequestState } from '#contract/forge/pull-request.ts';
import { jsonOf } from '#store/kernel/json.ts';
import { newestFirst, type Position, past } from '#store/kernel/keyset.ts';
import { rowsOf } from '#store/kernel/rows.ts';
import { PullRequestEntity, type StoredPullRequest } from './pull-request-entity.ts';

/** How many rows one statement reads or writes. */
const atOnce = 200;

/** Which pull requests are listed. */
export interface PullRequestPage {
  /** Those that target one of these repositories. */
  readonly targets?: readonly string[] | undefined;
  /** Those that sweeps of these repositories found, by id. */
  readonly repositories?: readonly string[] | undefined;
  readonly state?: PullRequestState | undefined;
  /** Those of one branch of a swept repository. */
  readonly branch?: { readonly repository: string; readonly headBranch: string } | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
}

/** The pull requests of repositories that were swept. */
export class PullRequestTable {
  readonly #em: EntityManager;

  constructor(em: EntityManager) {
    this.#em = em;
  }

  /** The pull requests of a swept repository that have these ids on the forge. */
  async byProvider(repository: string, ids: readonly string[]): Promise<ReadonlyMap<string, StoredPullRequest>> {
    const found = new Map<string, StoredPullRequest>();
    for (let start = 0; start < ids.length; start += atOnce) {
      const providerId = { $in: ids.slice(start, start + atOnce) };
      for (const row of await rowsOf(this.#em, PullRequestEntity, { repository, providerId })) {
        found.set(row.providerId, row);
      }
    }
    return found;
  }

  /** The pull requests of a swept repository that were open when they were last read. */
  openOf(repository: string): Promise<readonly StoredPullRequest[]> {
    return rowsOf(this.#em, PullRequestEntity, { repository, forgeState: 'OPEN' });
  }

  /** The pull requests from branches of swept repositories. Those from branches of forks are left out. */
  async ofBranches(
    repositories: readonly string[],
    branches: readonly string[],
  ): Promise<readonly StoredPullRequest[]> {
    if (repositories.length === 0 || branches.length === 0) return [];
    const which = { repository: { $in: [...repositories] }, headBranch: { $in: [...branches] }, own: true };
    return rowsOf(this.#em, PullRequestEntity, which);
  }

  /**
   * The branches of swept repositories that have an open pull request; each is the repository's id, a space and the
   * branch.
   */
  async openBranches(repositories: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#em
      .createQueryBuilder(PullRequestEntity, 'p')
      .select(['repository', 'headBranch'])
      // Must be spelled as in the partial index, which then answers the query.
      .where({ repository: { $in: [...repositories] }, [raw("own and forge_state = 'OPEN'")]: [] })
      .execute<{ repository: string; headBranch: string }[]>('all');
    return new Set(rows.map(({ repository, headBranch }) => `${repository} ${headBranch}`));
  }

  /** A page of pull requests, most recently updated first. */
  page({ targets, repositories, state, branch, after, limit }: PullRequestPage): Promise<readonly StoredPullRequest[]> {
    const where = {
      ...(targets && { target: { $in: [...targets] } }),
      ...(repositories && { repository: { $in: [...repositories] } }),
      ...(state && { state }),
      ...(branch && { ...branch, own: true }),
      ...past(after),
    };
    return rowsOf(this.#em, PullRequestEntity, where, { orderBy: newestFirst, limit });
  }

  async insert(rows: readonly StoredPullRequest[]): Promise<void> {
    for (let start = 0; start < rows.length; start += atOnce) {
      await this.#em.insertMany(PullRequestEntity, rows.slice(start, start + atOnce).map(written));
    }
  }

  async save({ id, ...rest }: StoredPullRequest): Promise<void> {
    await this.#em.nativeUpdate(PullRequestEntity, { id }, written(rest));
  }

  /** The pull requests that were merged or closed before a time, oldest first. */
  endedBefore(before: number, limit: number): Promise<readonly StoredPullRequest[]> {
    return rowsOf(this.#em, PullRequestEntity, { closedAt: { $lt: before } }, { orderBy: { closedAt: 'asc' }, limit });
  }

  async forget(ids: readonly string[]): Promise<void> {
    await this.#em.nativeDelete(PullRequestEntity, { id: { $in: [...ids] } });
  }

  /** Deletes all pull requests of a repository that turned out to be another name of a different one. */
  async forgetRepository(repository: string): Promise<void> {
    await this.#em.nativeDelete(PullRequestEntity, { repository });
  }
}

function written<R extends Omit<StoredPullRequest, 'id'>>(row: R): R {
  return {
    ...row,
    merge: jsonOf(row.merge),
    failingChecks: jsonOf(row.failingChecks),
    told: jsonOf(row.told),
  };
}
