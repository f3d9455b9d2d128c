import type { Forges } from '#actors/registry/forge/forges.ts';
import type { ForgeReading } from '#contract/forge.ts';
import type { ForgeClient, ForgeQuery } from '#world/forge/forge-client.ts';
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
  /** What the next calls are refused with, the first one first. */
  readonly errors: ForgeError[] = [];

  async forHost(host: string) {
    return host === this.host ? { connectionId: 'fgc_1', client: this, pathOf: (path: string) => path } : undefined;
  }

  async list(path: string, { branch, state, cursor, pageSize }: ForgeQuery) {
    this.#begin('list', path);
    const from = Number(cursor ?? 0);
    const all = this.pullRequests
      .filter((one) => (branch === undefined || one.headBranch === branch) && (state === 'all' || one.state === 'OPEN'))
      .toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt));
    const next = from + pageSize < all.length ? { nextCursor: String(from + pageSize) } : {};
    return { readings: all.slice(from, from + pageSize), repositoryUrl: 'https://forge.test/acme/app', ...next };
  }

  async read(path: string, refs: readonly { readonly providerId: string }[]) {
    this.#begin('read', path);
    const ids = new Set(refs.map(({ providerId }) => providerId));
    return { readings: this.pullRequests.filter(({ providerId }) => ids.has(providerId)) };
  }

  async probe(path: string, mark: string | undefined) {
    this.#begin('probe', path);
    const now = JSON.stringify(this.pullRequests.map(({ providerId, updatedAt }) => [providerId, updatedAt]));
    return { unchanged: mark === now, mark: now };
  }

  async check() {
    this.#begin('check', '');
    return { login: 'robot', warnings: [] };
  }

  #begin(method: string, path: string): void {
    this.asked.push(`${method} ${path}`.trim());
    const error = this.errors.shift();
    if (error !== undefined) throw error;
    if (path !== '' && path !== 'acme/app') throw new ForgeError('not_found', `forge.test has no ${path}`);
  }
}
