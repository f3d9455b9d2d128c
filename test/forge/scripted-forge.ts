import type { Forges } from '#actors/registry/forge/forges.ts';
import type { ForgeReading } from '#contract/forge/forge.ts';
import type { ForgeClient, ForgeQuery, ForgeQuota } from '#world/forge/forge-client.ts';
import { ForgeError } from '#world/forge/forge-error.ts';

/** An open pull request with nothing against it. */
export function reading(number: number, over: Partial<ForgeReading> = {}): ForgeReading {
  const repositoryUrl = 'https://forge.test/acme/app';
  return {
    forge: 'github',
    providerId: `PR_${number}`,
    url: `${repositoryUrl}/pull/${number}`,
    repositoryUrl,
    headRepositoryUrl: repositoryUrl,
    number,
    title: `Change ${number}`,
    headBranch: `branch-${number}`,
    headSha: String(number).padStart(40, 'a'),
    baseBranch: 'main',
    baseSha: 'b'.repeat(40),
    draft: false,
    state: 'OPEN',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    reviewDecision: 'REVIEW_DECISION_NONE',
    checks: 'CHECKS_NONE',
    mergeability: 'MERGEABILITY_CLEAN',
    failingChecks: [],
    inMergeQueue: false,
    ...over,
  };
}

/** A forge in memory: one repository, `acme/app`, whose pull requests a test sets. It notes what it was asked. */
export class ScriptedForge implements ForgeClient, Forges {
  readonly kind = 'github';
  readonly host = 'forge.test';
  readonly asked: string[] = [];
  pullRequests: readonly ForgeReading[] = [];
  /** The refusals of the next calls, in order; undefined for a call that succeeds. */
  readonly errors: (ForgeError | undefined)[] = [];
  /** Other names of the repository, which lead to it, and other repositories, which are empty. */
  readonly aliases = new Set<string>();
  readonly others = new Set<string>();
  /** What it says of its allowance. */
  quota: ForgeQuota | undefined;
  /** The maximum number of concurrent calls. */
  maxConcurrent = 0;
  /** How many are now. */
  underWay = 0;
  #gate: Promise<void> | undefined;

  async forHost(host: string) {
    return host === this.host ? { connectionId: 'fgc_1', client: this, pathOf: (path: string) => path } : undefined;
  }

  async list(path: string, { branch, state, cursor, pageSize }: ForgeQuery) {
    await this.#begin('list', path);
    if (this.others.has(path)) return { readings: [], repositoryUrl: `https://forge.test/${path}`, ...this.#quota };
    const from = Number(cursor ?? 0);
    const all = this.pullRequests
      .filter((one) => (branch === undefined || one.headBranch === branch) && (state === 'all' || one.state === 'OPEN'))
      .toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
    const next = from + pageSize < all.length ? { nextCursor: String(from + pageSize) } : {};
    const repositoryUrl = 'https://forge.test/acme/app';
    return { readings: all.slice(from, from + pageSize), repositoryUrl, ...next, ...this.#quota };
  }

  async read(path: string, refs: readonly { readonly providerId: string }[]) {
    await this.#begin('read', path);
    const ids = new Set(refs.map(({ providerId }) => providerId));
    return { readings: this.pullRequests.filter(({ providerId }) => ids.has(providerId)) };
  }

  async probe(path: string, mark: string | undefined) {
    await this.#begin('probe', path);
    if (this.others.has(path)) return { unchanged: mark === '', mark: '', ...this.#quota };
    const now = JSON.stringify(this.pullRequests.map(({ providerId, updatedAt }) => [providerId, updatedAt]));
    return { unchanged: mark === now, mark: now, ...this.#quota };
  }

  async check() {
    await this.#begin('check', '');
    return { login: 'robot', warnings: [] };
  }

  /** Keeps every call from being answered until it is opened. */
  hold(): { open(): void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return {
      open: () => {
        resolve();
        if (this.#gate === promise) this.#gate = undefined;
      },
    };
  }

  /** Lets whatever comes from now on pass; what was kept before stays so. */
  letPass(): void {
    this.#gate = undefined;
  }

  get #quota(): { quota?: ForgeQuota } {
    return this.quota === undefined ? {} : { quota: this.quota };
  }

  async #begin(method: string, path: string): Promise<void> {
    this.asked.push(`${method} ${path}`.trim());
    this.underWay += 1;
    this.maxConcurrent = Math.max(this.maxConcurrent, this.underWay);
    await this.#gate;
    // Another call may begin while this one is answered.
    await Promise.resolve();
    this.underWay -= 1;
    const error = this.errors.shift();
    if (error !== undefined) throw error;
    const isKnown = path === '' || path.toLowerCase() === 'acme/app' || this.aliases.has(path) || this.others.has(path);
    if (!isKnown) throw new ForgeError('not_found', `forge.test has no ${path}`);
  }
}
