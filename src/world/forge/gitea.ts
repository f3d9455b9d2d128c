import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ForgeReading } from '#contract/forge/forge.ts';
import { maxFailing } from './failing-checks.ts';
import type {
  ForgeCall,
  ForgeClient,
  ForgeIdentity,
  ForgePage,
  ForgeProbe,
  ForgePullRequestRef,
  ForgeQuery,
  ForgeReadings,
} from './forge-client.ts';
import { orAbsent } from './forge-error.ts';
import type { ForgeHttp, HttpAnswer } from './forge-http.ts';
import {
  GiteaBranch,
  type GiteaDetails,
  GiteaPull,
  GiteaRepository,
  GiteaReview,
  GiteaStatus,
  GiteaUser,
  giteaHeadBranch,
  giteaReading,
  isBlockedByRulesOnly,
} from './gitea-answers.ts';
import { inParts } from './in-parts.ts';
import { numberedPages } from './numbered-pages.ts';
import { twoSegments } from './repository-path.ts';

/** How many requests about single pull requests run concurrently. */
const width = 6;
const maxReads = 50;
/**
 * How long a pull request must be reported as not mergeable before it counts as conflicting, in milliseconds: Gitea
 * reports the same while it is checking.
 */
const confirmAfterMs = 10_000;
/** Maximum number of pull requests that are cached as not mergeable. */
const maxRemembered = 1_000;

/** How long a branch's rules are cached, in milliseconds, and for how many branches. */
const rulesKeptMs = 60_000;
const maxBranches = 500;

/** Gitea and Forgejo, through REST. */
export class GiteaClient implements ForgeClient {
  readonly kind = 'gitea';
  readonly host: string;
  readonly #http: ForgeHttp;
  /** When a pull request was first reported as not mergeable, by its number and both commits. */
  readonly #unmergeableSince = new Map<string, number>();
  readonly #branchRules = new Map<string, { readonly at: number; readonly rules: Promise<GiteaDetails['rules']> }>();

  constructor(http: ForgeHttp) {
    this.host = http.host;
    this.#http = http;
  }

  async list(path: string, query: ForgeQuery, call: ForgeCall = {}): Promise<ForgePage> {
    const base = this.#base(path);
    const { branch, cursor, pageSize, state } = query;
    let last: HttpAnswer | undefined;
    const { items, nextCursor } = await numberedPages<GiteaPull>({
      host: this.host,
      cursor,
      pageSize,
      keeps: (pull) => branch === undefined || giteaHeadBranch(pull) === branch,
      fetch: async (page, size) => {
        last = await this.#get(`${base}/pulls?state=${state}&sort=recentupdate&page=${page}&limit=${size}`, call);
        return { items: this.#http.read(z.array(GiteaPull), last), hasMore: hasMore(last, page, size) };
      },
    });
    const repository = items[0]?.base.repo ?? this.#http.read(GiteaRepository, await this.#get(base, call));
    const { parent } = repository;
    const readings = await inParts(items, width, (pull) =>
      this.#reading(base, pull, repository.html_url, query.plain ?? false, call),
    );
    return {
      readings,
      repositoryUrl: repository.html_url,
      ...(parent && { parent: { host: this.host, path: parent.full_name } }),
      ...(nextCursor !== undefined && { nextCursor }),
      ...(last?.quota && { quota: last.quota }),
    };
  }

  async read(path: string, refs: readonly ForgePullRequestRef[], call: ForgeCall = {}): Promise<ForgeReadings> {
    const base = this.#base(path);
    const readings = await inParts(refs.slice(0, maxReads), width, async ({ number }) => {
      const answer = await this.#get(`${base}/pulls/${number}`, call).catch(orAbsent);
      if (answer === undefined) return [];
      const pull = this.#http.read(GiteaPull, answer);
      return [await this.#reading(base, pull, pull.html_url.replace(/\/pulls\/\d+$/, ''), false, call)];
    });
    return { readings: readings.flat() };
  }

  async probe(path: string, mark: string | undefined, call: ForgeCall = {}): Promise<ForgeProbe> {
    const answer = await this.#get(`${this.#base(path)}/pulls?state=all&sort=recentupdate&page=1&limit=1`, call);
    const pulls = this.#http.read(z.array(GiteaPull), answer);
    const newest = pulls.map(({ number, updated_at, state }) => [number, updated_at, state]);
    const newestText = JSON.stringify([answer.headers.get('x-total-count'), newest]);
    const now = createHash('sha256').update(newestText).digest('base64url');
    return { unchanged: now === mark, mark: now, ...(answer.quota && { quota: answer.quota }) };
  }

  async check(call: ForgeCall = {}): Promise<ForgeIdentity> {
    const answer = await this.#get('/api/v1/user', call);
    return {
      login: this.#http.read(GiteaUser, answer).login,
      warnings: [],
      ...(answer.quota && { quota: answer.quota }),
    };
  }

  #base(path: string): string {
    const [owner, name] = twoSegments(this.#http, path);
    return `/api/v1/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  }

  #get(path: string, { signal }: ForgeCall): Promise<HttpAnswer> {
    return this.#http.ask({ path, signal });
  }

  async #reading(
    base: string,
    pull: GiteaPull,
    repositoryUrl: string,
    plain: boolean,
    call: ForgeCall,
  ): Promise<ForgeReading> {
    if (plain || pull.state !== 'open') {
      const nothing: GiteaDetails = { reviews: [], status: undefined, merges: 'unsure', rules: undefined };
      return giteaReading(pull, repositoryUrl, plain ? undefined : nothing);
    }
    const sha = pull.head.sha ?? '';
    const merges = this.#merges(pull);
    const [reviews, status, rules] = await Promise.all([
      this.#reviews(`${base}/pulls/${pull.number}/reviews`, call),
      sha === ''
        ? undefined
        : this.#get(`${base}/commits/${encodeURIComponent(sha)}/status?limit=50`, call).catch(orAbsent),
      isBlockedByRulesOnly(pull, merges) ? this.#rules(`${base}/branches/`, pull.base.ref, call) : undefined,
    ]);
    const details: GiteaDetails = {
      reviews,
      status: status && this.#http.read(GiteaStatus, status),
      merges,
      rules,
    };
    const failed = (details.status?.statuses ?? []).filter(({ status: one }) => one === 'failure' || one === 'error');
    const reading = giteaReading(pull, repositoryUrl, details);
    return { ...reading, failingChecks: maxFailing(failed.map(({ context }) => context)) };
  }

  /** The rules of a branch, requested once for all pull requests; undefined if the credential may not see them. */
  async #rules(at: string, branch: string, call: ForgeCall): Promise<GiteaDetails['rules']> {
    const path = at + branch.split('/').map(encodeURIComponent).join('/');
    const known = this.#branchRules.get(path);
    if (known !== undefined && this.#http.now() - known.at < rulesKeptMs) return known.rules;
    const rules = this.#get(path, call)
      .catch(orAbsent)
      .then((answer) => answer && this.#http.read(GiteaBranch, answer));
    if (this.#branchRules.size >= maxBranches) this.#branchRules.clear();
    this.#branchRules.set(path, { at: this.#http.now(), rules });
    rules.catch(() => this.#branchRules.delete(path));
    return rules;
  }

  /** All reviews in ascending order, at most the first five hundred. */
  async #reviews(at: string, call: ForgeCall): Promise<GiteaDetails['reviews']> {
    const { items } = await numberedPages<GiteaDetails['reviews'][number]>({
      host: this.host,
      cursor: undefined,
      pageSize: 500,
      keeps: () => true,
      fetch: async (page, size) => {
        const answer = await this.#get(`${at}?page=${page}&limit=${size}`, call);
        const items = this.#http.read(z.array(GiteaReview).nullable(), answer) ?? [];
        return { items, hasMore: hasMore(answer, page, size) };
      },
    });
    return items;
  }

  #merges(pull: GiteaPull): GiteaDetails['merges'] {
    const key = `${pull.id} ${pull.head.sha} ${pull.base.sha}`;
    if (pull.mergeable) {
      this.#unmergeableSince.delete(key);
      return 'yes';
    }
    const now = this.#http.now();
    const since = this.#unmergeableSince.get(key);
    if (since !== undefined) return now - since >= confirmAfterMs ? 'no' : 'unsure';
    const [oldest] = this.#unmergeableSince.keys();
    if (oldest !== undefined && this.#unmergeableSince.size >= maxRemembered) this.#unmergeableSince.delete(oldest);
    this.#unmergeableSince.set(key, now);
    return 'unsure';
  }
}

/** Whether another page follows: by the Link header, by the total count, or else if the page was full. */
function hasMore({ headers, json }: HttpAnswer, page: number, size: number): boolean {
  const link = headers.get('link');
  if (link !== null) return /rel="?next"?/.test(link);
  const total = headers.get('x-total-count');
  const count = Array.isArray(json) ? json.length : 0;
  // All pages but the last have this size, which may be smaller than requested.
  return total !== null ? count > 0 && count * page < Number(total) : count >= size;
}
