import { createHash } from 'node:crypto';
import type { ForgeReading } from '#contract/forge/forge.ts';
import {
  BitbucketActivity,
  BitbucketCommit,
  type BitbucketDetails,
  BitbucketFileChange,
  type BitbucketFileChanges,
  BitbucketPull,
  BitbucketRepository,
  BitbucketStatus,
  BitbucketUser,
  bitbucketPage,
  bitbucketReading,
  bitbucketState,
  hasFailed,
  isConflict,
} from './bitbucket-answers.ts';
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
import { ForgeError, orAbsent } from './forge-error.ts';
import type { ForgeHttp, HttpAnswer } from './forge-http.ts';
import { inParts } from './in-parts.ts';
import { numberedPages } from './numbered-pages.ts';
import { twoSegments } from './repository-path.ts';

/** How many requests about single pull requests run concurrently. */
const width = 8;
const maxReads = 50;
/** How many pages of changed files are searched for a conflict, and the number of files per page. */
const maxFilePages = 4;
const filesPerPage = 500;
/** How many full commit ids are cached by their short ones. They never change. */
const maxCommits = 5_000;
const allStates = ['OPEN', 'MERGED', 'DECLINED', 'SUPERSEDED'];

/** Bitbucket Cloud, through REST. */
export class BitbucketClient implements ForgeClient {
  readonly kind = 'bitbucket';
  readonly host: string;
  readonly #http: ForgeHttp;
  readonly #commits = new Map<string, string>();

  constructor(http: ForgeHttp) {
    this.host = http.host;
    this.#http = http;
  }

  async list(path: string, query: ForgeQuery, call: ForgeCall = {}): Promise<ForgePage> {
    const base = this.#base(path);
    const repository = this.#http.read(BitbucketRepository, await this.#get(base, call));
    const { items, nextCursor } = await numberedPages<BitbucketPull>({
      host: this.host,
      cursor: query.cursor,
      pageSize: query.pageSize,
      keeps: () => true,
      fetch: async (page, size) => {
        const asked = parametersOf(query, page, size);
        const answer = await this.#get(`${base}/pullrequests?${asked}`, call);
        const { values, next } = this.#http.read(bitbucketPage(BitbucketPull), answer);
        return { items: values, hasMore: next !== undefined };
      },
    });
    const url = repository.links.html.href;
    const readings = await inParts(items, width, (pull) => this.#reading(base, pull, url, query.plain ?? false, call));
    return {
      readings,
      repositoryUrl: url,
      ...(repository.parent && { parent: { host: this.host, path: repository.parent.full_name } }),
      ...(nextCursor !== undefined && { nextCursor }),
    };
  }

  async read(path: string, refs: readonly ForgePullRequestRef[], call: ForgeCall = {}): Promise<ForgeReadings> {
    const base = this.#base(path);
    const readings = await inParts(refs.slice(0, maxReads), width, async ({ number }) => {
      const answer = await this.#get(`${base}/pullrequests/${number}`, call).catch(orAbsent);
      if (answer === undefined) return [];
      const pull = this.#http.read(BitbucketPull, answer);
      return [await this.#reading(base, pull, pull.links.html.href.replace(/\/pull-requests\/.*$/, ''), false, call)];
    });
    return { readings: readings.flat() };
  }

  async probe(path: string, mark: string | undefined, call: ForgeCall = {}): Promise<ForgeProbe> {
    const asked = new URLSearchParams(allStates.map((state): [string, string] => ['state', state]));
    asked.append('sort', '-updated_on');
    asked.append('pagelen', '1');
    asked.append('fields', 'size,values.id,values.updated_on,values.state');
    const answer = await this.#get(`${this.#base(path)}/pullrequests?${asked}`, call);
    const now = createHash('sha256').update(JSON.stringify(answer.json)).digest('base64url');
    return { unchanged: now === mark, mark: now, ...(answer.quota && { quota: answer.quota }) };
  }

  async check(call: ForgeCall = {}): Promise<ForgeIdentity> {
    const { username, display_name } = this.#http.read(BitbucketUser, await this.#get('/2.0/user', call));
    return { login: username ?? display_name ?? '', warnings: [] };
  }

  #base(path: string): string {
    const [workspace, name] = twoSegments(this.#http, path);
    return `/2.0/repositories/${encodeURIComponent(workspace)}/${encodeURIComponent(name)}`;
  }

  #get(path: string, { signal }: ForgeCall): Promise<HttpAnswer> {
    return this.#http.ask({ path, signal });
  }

  async #reading(
    base: string,
    pull: BitbucketPull,
    url: string,
    plain: boolean,
    call: ForgeCall,
  ): Promise<ForgeReading> {
    const at = `${base}/pullrequests/${pull.id}`;
    const isOpen = bitbucketState(pull) === 'OPEN';
    const [headSha, baseSha, finishedAt, statuses, conflicts] = await Promise.all([
      this.#wholeSha(base, pull.source, call),
      this.#wholeSha(base, pull.destination, call),
      isOpen ? undefined : this.#finishedAt(at, pull.state, call),
      isOpen && !plain ? this.#get(`${at}/statuses?pagelen=100`, call) : undefined,
      isOpen && !plain ? this.#conflicts(at, call) : false,
    ]);
    const read = statuses && this.#http.read(bitbucketPage(BitbucketStatus), statuses).values;
    const statusesRead = plain ? undefined : (read ?? []);
    const details: BitbucketDetails = { headSha, baseSha, finishedAt, statuses: statusesRead, conflicts };
    const failed = (read ?? []).filter(hasFailed).map(({ name, key }) => name || key);
    return { ...bitbucketReading(pull, url, details), failingChecks: maxFailing(failed) };
  }

  /** Whether a file of a pull request conflicts with its base, as far as Bitbucket can compare the two. */
  async #conflicts(at: string, call: ForgeCall): Promise<boolean> {
    let next: string | undefined = `${at}/diffstat?pagelen=${filesPerPage}&fields=next,values.status`;
    for (let page = 0; page < maxFilePages && next !== undefined; page += 1) {
      const answer: HttpAnswer | undefined = await this.#get(next, call).catch(orNoComparison);
      if (answer === undefined) return false;
      const { values, next: after }: BitbucketFileChanges = this.#http.read(bitbucketPage(BitbucketFileChange), answer);
      if (values.some(isConflict)) return true;
      next = after;
    }
    return false;
  }

  /** The full id of a commit. A pull request has only its beginning, which is returned if the commit is gone. */
  async #wholeSha(base: string, end: BitbucketPull['source'], call: ForgeCall): Promise<string> {
    const short = end.commit?.hash ?? '';
    if (short === '' || short.length === 40) return short;
    const full = end.repository?.full_name;
    const known = this.#commits.get(short);
    if (known !== undefined) return known;
    const at = full === undefined ? base : this.#base(full);
    const answer = await this.#get(`${at}/commit/${encodeURIComponent(short)}`, call).catch(orAbsent);
    if (answer === undefined) return short;
    const { hash } = this.#http.read(BitbucketCommit, answer);
    if (!hash.startsWith(short)) throw this.#http.malformed();
    if (this.#commits.size >= maxCommits) this.#commits.clear();
    this.#commits.set(short, hash);
    return hash;
  }

  /** When it was merged or declined, from its history; undefined if that no longer has it. */
  async #finishedAt(at: string, state: string, call: ForgeCall): Promise<string | undefined> {
    const answer = await this.#get(`${at}/activity?pagelen=50`, call).catch(orAbsent);
    if (answer === undefined) return undefined;
    const { values } = this.#http.read(bitbucketPage(BitbucketActivity), answer);
    return values.find(({ update }) => update?.state === state)?.update?.date;
  }
}

/** Ignores a failed comparison: it may be too large for Bitbucket (555), or a branch may be gone. */
function orNoComparison(error: unknown): undefined {
  if (!(error instanceof ForgeError) || error.kind !== 'server') return orAbsent(error);
}

function parametersOf({ branch, state }: ForgeQuery, page: number, size: number): URLSearchParams {
  const states = state === 'open' ? ['OPEN'] : allStates;
  const asked = new URLSearchParams(states.map((one): [string, string] => ['state', one]));
  if (branch !== undefined) asked.append('q', `source.branch.name = "${branch.replace(/["\\]/g, '\\$&')}"`);
  asked.append('sort', '-updated_on');
  asked.append('page', String(page));
  asked.append('pagelen', String(size));
  asked.append('fields', '+values.participants,+values.reviewers');
  return asked;
}
