import type { ForgeReading } from '#contract/forge/forge.ts';
import type {
  ForgeAnswer,
  ForgeCall,
  ForgeClient,
  ForgePage,
  ForgePullRequestRef,
  ForgeQuery,
  ForgeQuota,
} from '#world/forge/forge-client.ts';

/** The state of a repository before a sweep. Times are milliseconds since 1970. */
export interface SweepRequest {
  /** In the form that the forge accepts. */
  readonly path: string;
  readonly now: number;
  /** Where the previous sweep ended. */
  readonly mark: string | undefined;
  readonly wholeAt: number | undefined;
  readonly newestAt: number | undefined;
  /** The repository that it was forked from. */
  readonly parent: string | undefined;
  /** Pull requests that were open when they were last read. */
  readonly open: readonly OpenPullRequest[];
  /** Branches that agents are on, and those of them whose pull requests were read in every state. */
  readonly branches: readonly string[];
  readonly branchesRead: readonly string[];
}

/** A pull request that was open when it was last read. */
export interface OpenPullRequest extends ForgePullRequestRef {
  /** Whether an agent is on its branch. */
  readonly watched: boolean;
  /** Whether it targets the repository that this one was forked from. */
  readonly inParent: boolean;
}

/** The result of a sweep, even if it was cut short. */
export interface SweepResult {
  readonly readings: ReadonlyMap<string, ForgeReading>;
  /** Pull requests that the forge no longer has. */
  readonly gone: readonly string[];
  readonly mark: string | undefined;
  /** When all open pull requests were read, if this sweep did that. */
  readonly wholeAt: number | undefined;
  readonly branchesRead: readonly string[];
  readonly repositoryUrl: string | undefined;
  readonly parent: string | undefined;
  readonly warning: string | undefined;
  readonly quota: ForgeQuota | undefined;
  /** How many requests counted against the forge's quota. */
  readonly cost: number;
  /** Why it was cut short; undefined if everything was read. */
  readonly error: unknown;
}

/** How often all open pull requests are read in full, in milliseconds. This catches changes that were missed. */
export const wholeEvery = 30 * 60_000;
/** The shorter interval if something changed meanwhile, in milliseconds. */
const wholeAgain = 2 * 60_000;
/** How far before the last known change the search begins, because forges write several changes at the same time. */
const overlap = 60_000;
/** How many pages of changes are read before the sweep reads everything open instead. */
const maxPages = 5;
const pageSize = { changes: 30, max: 100, reads: 50 } as const;

/**
 * Reads the changed pull requests of a repository, or all of them. Never throws: it keeps what it read before an error.
 */
export async function readRepository(
  client: ForgeClient,
  request: SweepRequest,
  call: ForgeCall,
): Promise<SweepResult> {
  const reading = new Reading(client, request, call);
  try {
    await reading.sweep();
    return reading.result(undefined);
  } catch (error) {
    return reading.result(error);
  }
}

/** Reads single pull requests again. Never throws. */
export async function readAgain(client: ForgeClient, request: SweepRequest, call: ForgeCall): Promise<SweepResult> {
  const reading = new Reading(client, request, call);
  try {
    await reading.readKnown(request.open);
    return reading.result(undefined);
  } catch (error) {
    return reading.result(error);
  }
}

class Reading {
  readonly #client: ForgeClient;
  readonly #request: SweepRequest;
  readonly #call: ForgeCall;
  readonly #readings = new Map<string, ForgeReading>();
  /** Those whose reviews, checks and mergeability the forge has returned. */
  readonly #whole = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #branchesRead: Set<string>;
  #mark: string | undefined;
  #wholeAt: number | undefined;
  #repositoryUrl: string | undefined;
  #parent: string | undefined;
  #warning: string | undefined;
  #quota: ForgeQuota | undefined;
  #cost = 0;

  constructor(client: ForgeClient, request: SweepRequest, call: ForgeCall) {
    this.#client = client;
    this.#request = request;
    this.#call = call;
    this.#branchesRead = new Set(request.branchesRead.filter((branch) => request.branches.includes(branch)));
    this.#parent = request.parent;
  }

  async sweep(): Promise<void> {
    const { mark, wholeAt, newestAt, now, branches } = this.#request;
    const isChanged = await this.#probe(mark);
    const isWholeDue = wholeAt === undefined || now - wholeAt >= wholeEvery;
    // Pull requests that were opened and closed between two full sweeps appear only among the changes.
    const isFollowed = !isChanged || wholeAt === undefined || (await this.#readChanges(newestAt ?? 0));
    if (isWholeDue || !isFollowed) await this.#readOpen();
    for (const branch of branches) if (!this.#branchesRead.has(branch)) await this.#readBranch(branch);
    await this.#readParent();
    const isAbsent = this.#wholeAt !== undefined;
    const missing = this.#request.open.filter(({ providerId }) => !this.#readings.has(providerId));
    const isDue = ({ watched, inParent }: OpenPullRequest) => watched || (isAbsent && !inParent);
    await this.readKnown(missing.filter(isDue));
    await this.#detail();
  }

  /** Reads known pull requests by their ids; those that the forge does not return are gone. */
  async readKnown(known: readonly OpenPullRequest[]): Promise<void> {
    const parent = this.#parent;
    if (parent !== undefined) {
      await this.#read(
        parent,
        known.filter(({ inParent }) => inParent),
      );
    }
    await this.#read(
      this.#request.path,
      known.filter(({ inParent }) => !inParent),
    );
  }

  result(error: unknown): SweepResult {
    return {
      readings: this.#readings,
      gone: [...this.#gone],
      mark: this.#mark,
      wholeAt: this.#wholeAt,
      branchesRead: [...this.#branchesRead],
      repositoryUrl: this.#repositoryUrl,
      parent: this.#parent,
      warning: this.#warning,
      quota: this.#quota,
      cost: this.#cost,
      error,
    };
  }

  /** Whether anything may have changed since the mark was returned. */
  async #probe(mark: string | undefined): Promise<boolean> {
    const probe = this.#noted(await this.#client.probe(this.#request.path, mark, this.#call));
    // On GitHub, a check that finds no change costs no quota.
    if (probe.unchanged && this.#client.kind === 'github') this.#cost -= 1;
    this.#mark ??= probe.mark;
    return !probe.unchanged;
  }

  /** Reads what changed on the forge since a time; false if there was too much. */
  async #readChanges(since: number): Promise<boolean> {
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page += 1) {
      const size = page === 0 ? pageSize.changes : pageSize.max;
      // Page sizes differ, so a cursor that counts pages would skip items: the second page starts over.
      if (page === 1) cursor = undefined;
      const found = await this.#list({ state: 'all', pageSize: size, ...(cursor === undefined ? {} : { cursor }) });
      if (found.readings.some(({ updatedAt }) => Date.parse(updatedAt) < since - overlap)) return true;
      if (found.nextCursor === undefined) return true;
      cursor = found.nextCursor;
    }
    return false;
  }

  async #readOpen(): Promise<void> {
    let pages = 0;
    for (let cursor: string | undefined; ; ) {
      const page = await this.#list({
        state: 'open',
        pageSize: pageSize.max,
        ...(cursor === undefined ? {} : { cursor }),
      });
      pages += 1;
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    const { now } = this.#request;
    // Pages shift if something changes meanwhile; then the next full sweep follows soon.
    const hasShifted = pages > 1 && (await this.#probe(this.#mark));
    this.#wholeAt = hasShifted ? now - wholeEvery + wholeAgain : now;
  }

  async #readBranch(branch: string): Promise<void> {
    await this.#list({ state: 'all', branch, pageSize: pageSize.max });
    this.#branchesRead.add(branch);
  }

  /** If it was forked, pull requests from its branches are in the upstream repository. */
  async #readParent(): Promise<void> {
    const parent = this.#parent;
    if (parent === undefined) return;
    const own = this.#repositoryUrl?.toLowerCase();
    for (const branch of this.#request.branches) {
      const page = this.#noted(
        await this.#client.list(parent, { state: 'all', branch, pageSize: pageSize.max }, this.#call),
      );
      for (const one of page.readings) if (one.headRepositoryUrl.toLowerCase() === own) this.#keep(one);
    }
  }

  async #list(query: ForgeQuery): Promise<ForgePage> {
    const page = this.#noted(await this.#client.list(this.#request.path, { ...query, ...this.#plain }, this.#call));
    this.#repositoryUrl = page.repositoryUrl;
    this.#warning ??= page.warning;
    if (page.parent?.host === this.#client.host) this.#parent = page.parent.path;
    for (const one of page.readings) this.#keep(one);
    return page;
  }

  /** Two forges need a request for each pull request's reviews and checks, so only those that matter are read. */
  get #plain(): Pick<ForgeQuery, 'plain'> {
    return this.#client.kind === 'gitea' || this.#client.kind === 'bitbucket' ? { plain: true } : {};
  }

  /**
   * Reads listed pull requests in full if agents are on their branches: the reviews and checks of
   * others are not needed.
   */
  async #detail(): Promise<void> {
    const { branches, path } = this.#request;
    const plain = [...this.#readings.values()].filter(
      ({ providerId, state, headBranch }) =>
        state === 'OPEN' && branches.includes(headBranch) && !this.#whole.has(providerId),
    );
    await this.#read(path, plain);
  }

  async #read(path: string, refs: readonly ForgePullRequestRef[]): Promise<void> {
    for (let start = 0; start < refs.length; start += pageSize.reads) {
      const asked = refs
        .slice(start, start + pageSize.reads)
        .map(({ providerId, number }): ForgePullRequestRef => ({ providerId, number }));
      const { readings } = this.#noted(await this.#client.read(path, asked, this.#call));
      for (const one of readings) this.#keep(one);
      const found = new Set(readings.map(({ providerId }) => providerId));
      for (const { providerId } of asked) if (!found.has(providerId)) this.#gone.add(providerId);
    }
  }

  /** The newer of two readings of one pull request wins; of two equally new ones the more complete, then the later. */
  #keep(one: ForgeReading): void {
    const before = this.#readings.get(one.providerId);
    const isOlder = before !== undefined && before.updatedAt > one.updatedAt;
    const isPlain = one.reviewDecision === 'REVIEW_DECISION_UNSPECIFIED';
    const saysLess = isPlain && before?.updatedAt === one.updatedAt && this.#whole.has(one.providerId);
    if (isOlder || saysLess) return;
    this.#readings.set(one.providerId, one);
    if (isPlain) this.#whole.delete(one.providerId);
    else this.#whole.add(one.providerId);
    this.#gone.delete(one.providerId);
  }

  #noted<Answer extends ForgeAnswer>(answer: Answer): Answer {
    this.#cost += 1;
    if (answer.quota !== undefined) this.#quota = answer.quota;
    return answer;
  }
}
