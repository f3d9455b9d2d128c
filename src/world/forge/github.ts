import type { z } from 'zod';
import type { ForgeReading, ForgeRepository } from '#contract/forge/forge.ts';
import { maxFailing } from './failing-checks.ts';
import type {
  ForgeCall,
  ForgeClient,
  ForgeIdentity,
  ForgePage,
  ForgeProbe,
  ForgePullRequestRef,
  ForgeQuery,
  ForgeQuota,
  ForgeReadings,
} from './forge-client.ts';
import { ForgeError } from './forge-error.ts';
import type { ForgeHttp, HttpAnswer } from './forge-http.ts';
import {
  GithubFailing,
  GithubList,
  GithubNodes,
  GithubViewer,
  githubFailing,
  githubReading,
} from './github-answers.ts';
import { githubQueries } from './github-queries.ts';
import { absence, askGraphql, type GraphqlError } from './graphql.ts';
import { twoSegments } from './repository-path.ts';

/** The minimum page size after GitHub could not answer a larger page. */
const smallestPage = 10;
const maxReads = 50;
/** How long before a token's expiry a person is warned, in milliseconds. */
const soonMs = 14 * 24 * 60 * 60_000;

/** GitHub.com, GitHub Enterprise Cloud and Server (3.12 and newer), through GraphQL. */
export class GithubClient implements ForgeClient {
  readonly kind = 'github';
  readonly host: string;
  readonly #http: ForgeHttp;
  readonly #graphqlPath: string;
  readonly #restPath: string;

  constructor(http: ForgeHttp, paths: { graphql: string; rest: string }) {
    this.host = http.host;
    this.#http = http;
    this.#graphqlPath = paths.graphql;
    this.#restPath = paths.rest;
  }

  async list(path: string, query: ForgeQuery, call: ForgeCall = {}): Promise<ForgePage> {
    const [owner, name] = twoSegments(this.#http, path);
    const variables = {
      owner,
      name,
      first: query.pageSize,
      after: query.cursor ?? null,
      states: query.state === 'open' ? ['OPEN'] : null,
      branch: query.branch ?? null,
    };
    const { data, errors, answer } = await this.#page(variables, query.plain ?? false, call);
    const { repository } = data;
    if (repository == null) throw absence(this.#http, errors);
    const { nodes, pageInfo } = repository.pullRequests;
    const readings = (nodes ?? []).flatMap((node) =>
      node === null ? [] : [githubReading(node, query.plain ?? false)],
    );
    const warning = warningOf(errors);
    return {
      readings: query.plain ? readings : await this.#withFailing(readings, call),
      repositoryUrl: repository.url,
      ...(repository.parent && { parent: this.#repositoryOf(repository.parent) }),
      ...(pageInfo.hasNextPage && pageInfo.endCursor && { nextCursor: pageInfo.endCursor }),
      ...(warning && { warning }),
      ...quotaIn(data, answer),
    };
  }

  async read(_path: string, refs: readonly ForgePullRequestRef[], call: ForgeCall = {}): Promise<ForgeReadings> {
    const ids = refs.slice(0, maxReads).map(({ providerId }) => providerId);
    const { data, answer } = await this.#ask(githubQueries.read, { ids }, GithubNodes, call);
    const readings = data.nodes.flatMap((node) => (node === null ? [] : [githubReading(node, false)]));
    return { readings: await this.#withFailing(readings, call), ...quotaIn(data, answer) };
  }

  async probe(path: string, mark: string | undefined, call: ForgeCall = {}): Promise<ForgeProbe> {
    const [owner, name] = twoSegments(this.#http, path);
    const answer = await this.#http.ask({
      path: `${this.#restPath}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/pulls?state=all&sort=updated&direction=desc&per_page=1`,
      headers: { accept: 'application/vnd.github+json', ...(mark !== undefined && { 'if-none-match': mark }) },
      signal: call.signal,
    });
    const unchanged = answer.status === 304;
    const now = unchanged ? (mark ?? '') : (answer.headers.get('etag') ?? '');
    return { unchanged, mark: now, ...(answer.quota && { quota: answer.quota }) };
  }

  async check(call: ForgeCall = {}): Promise<ForgeIdentity> {
    const { data, answer } = await this.#ask(githubQueries.check, {}, GithubViewer, call);
    return { login: data.viewer.login, warnings: this.#warnings(answer.headers), ...quotaIn(data, answer) };
  }

  /** Warnings from GitHub's headers: missing scopes of a classic token, and its expiry. */
  #warnings(headers: Headers): string[] {
    const scopes = headers.get('x-oauth-scopes');
    const mayRead = scopes === null || scopes.split(/,\s*/).includes('repo');
    const end = Date.parse(headers.get('github-authentication-token-expiration') ?? '');
    return [
      ...(mayRead ? [] : ['It lacks the scope repo, so it sees only public repositories.']),
      ...(end - this.#http.now() < soonMs ? [`It expires at ${new Date(end).toISOString()}.`] : []),
    ];
  }

  /** Requests a page. If GitHub cannot build it in time, retries with half the size. */
  async #page(variables: { first: number }, plain: boolean, call: ForgeCall) {
    for (let { first } = variables; ; first = Math.max(Math.floor(first / 2), smallestPage)) {
      try {
        const query = plain ? githubQueries.listPlain : githubQueries.list;
        return await this.#ask(query, { ...variables, first }, GithubList, call);
      } catch (error) {
        const isTooMuch = error instanceof ForgeError && error.kind === 'server';
        if (!isTooMuch || first <= smallestPage) throw error;
      }
    }
  }

  async #ask<S extends z.ZodType>(query: string, variables: unknown, schema: S, { signal }: ForgeCall) {
    return askGraphql(this.#http, { path: this.#graphqlPath, query, variables, schema, signal });
  }

  /** Adds the names of failed checks with a separate request, because each pull request may have a hundred checks. */
  async #withFailing(readings: readonly ForgeReading[], call: ForgeCall): Promise<readonly ForgeReading[]> {
    const failing = readings.filter(({ checks, state }) => checks === 'CHECKS_FAILING' && state === 'OPEN');
    const names = new Map<string, string[]>();
    for (let from = 0; from < failing.length; from += maxReads) {
      const ids = failing.slice(from, from + maxReads).map(({ providerId }) => providerId);
      const { data } = await this.#ask(githubQueries.failing, { ids }, GithubFailing, call);
      for (const node of data.nodes) if (node?.id !== undefined) names.set(node.id, githubFailing(node));
    }
    return readings.map((one) => ({ ...one, failingChecks: maxFailing(names.get(one.providerId) ?? []) }));
  }

  #repositoryOf({ nameWithOwner }: { nameWithOwner: string }): ForgeRepository {
    return { host: this.host, path: nameWithOwner };
  }
}

function quotaIn(
  { rateLimit }: { rateLimit?: { limit: number; remaining: number; resetAt: string } | null | undefined },
  { quota }: HttpAnswer,
): { quota?: ForgeQuota } {
  if (rateLimit == null) return quota === undefined ? {} : { quota };
  return { quota: { ...rateLimit, resetAt: Date.parse(rateLimit.resetAt) } };
}

/** The warning for fields that the credential may not read, which are null, with an error. */
function warningOf(errors: readonly GraphqlError[]): string | undefined {
  const fields = new Set(
    errors.map(({ path = [] }) => String(path.findLast((part) => typeof part === 'string') ?? '')),
  );
  if (errors.length === 0) return undefined;
  return `The credential may not read all fields of the pull requests (${[...fields].filter(Boolean).join(', ') || 'some fields'})`;
}
