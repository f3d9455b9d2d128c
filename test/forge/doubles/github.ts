import { schema } from '@octokit/graphql-schema';
import { buildSchema } from 'graphql';
import type { Double } from './double.ts';
import { connection, graphqlAnswer, typedError } from './graphql-answer.ts';
import { type ForgeWorld, newestFirst, type Pull, type Repository, rollup, verdicts } from './world.ts';

/** GitHub's published schema. It names one type's fields twice, which is left unchecked. */
export const githubSchema = buildSchema(schema.idl, { assumeValidSDL: true });

/** GitHub's names for the merge state of a pull request. */
const mergeStates: Readonly<Record<Pull['merges'], readonly [mergeable: string, status: string]>> = {
  clean: ['MERGEABLE', 'CLEAN'],
  conflict: ['CONFLICTING', 'DIRTY'],
  behind: ['MERGEABLE', 'BEHIND'],
  blocked: ['MERGEABLE', 'BLOCKED'],
  checking: ['UNKNOWN', 'UNKNOWN'],
  unstable: ['MERGEABLE', 'UNSTABLE'],
};
const rollupStates = { failed: 'FAILURE', running: 'PENDING', passed: 'SUCCESS' } as const;
const conclusions = { failed: 'TIMED_OUT', running: null, passed: 'SUCCESS' } as const;

/** GitHub as an Enterprise Server has it: GraphQL at /api/graphql and REST at /api/v3. */
export function githubDouble(world: ForgeWorld): Double {
  return ({ url, headers, body }) => {
    if (headers.get('authorization') !== `Bearer ${world.token}`) {
      return { status: 401, body: { message: 'Bad credentials' } };
    }
    if (url.pathname === '/api/graphql') return graphqlAnswer(githubSchema, body, rootOf(world));
    const [, owner = '', name = ''] = /^\/api\/v3\/repos\/([^/]+)\/([^/]+)\/pulls$/.exec(url.pathname) ?? [];
    const path = `${decodeURIComponent(owner)}/${decodeURIComponent(name)}`;
    const repository = world.find(path);
    const moved = world.moved(path);
    if (repository === undefined && moved !== undefined) {
      return { status: 301, headers: { location: `/api/v3/repos/${moved.path}/pulls${url.search}` } };
    }
    if (repository === undefined) return { status: 404, body: { message: 'Not Found' } };
    const newest = newestFirst(repository.pulls).slice(0, 1);
    const etag = `W/"${newest.map(({ number, updatedAt, state }) => `${number} ${updatedAt} ${state}`).join()}"`;
    if (headers.get('if-none-match') === etag) return { status: 304, headers: { etag } };
    return { status: 200, headers: { etag }, body: newest.map(({ number, title }) => ({ number, title })) };
  };
}

function rootOf(world: ForgeWorld): object {
  return {
    rateLimit: { limit: 5000, remaining: 4990, resetAt: '2026-11-21T21:00:00Z', cost: 1 },
    viewer: { login: world.login },
    repository: ({ owner, name, followRenames }: { owner: string; name: string; followRenames: boolean }) => {
      const path = `${owner}/${name}`;
      const found = world.find(path) ?? (followRenames ? world.moved(path) : undefined);
      if (found !== undefined) return repositoryOf(world, found);
      throw typedError('NOT_FOUND', `Could not resolve to a Repository with the name '${path}'.`);
    },
    nodes: ({ ids }: { ids: readonly string[] }) =>
      ids.map((id) => {
        for (const repository of world.repositories) {
          const found = repository.pulls.find((one) => idOf(repository, one) === id);
          if (found !== undefined && repository.isSeen) return pullOf(world, repository, found);
        }
        return null;
      }),
  };
}

interface QueryVariables {
  readonly states?: readonly string[] | null;
  readonly headRefName?: string | null;
  readonly first?: number;
  readonly after?: string;
  readonly orderBy: { readonly field: string; readonly direction: string };
}

function repositoryOf(world: ForgeWorld, repository: Repository): object {
  const { path, parent, pulls } = repository;
  return {
    url: world.urlOf(path),
    nameWithOwner: path,
    parent: parent === undefined ? null : { url: world.urlOf(parent), nameWithOwner: parent },
    pullRequests: (asked: QueryVariables) => {
      const { field, direction } = asked.orderBy;
      if (field !== 'UPDATED_AT' || direction !== 'DESC') throw new Error('an order that is not tried here');
      const wanted = newestFirst(pulls).filter(
        ({ state, branch }) => (asked.states?.includes(state) ?? true) && (asked.headRefName ?? branch) === branch,
      );
      return connection(
        wanted.map((one) => pullOf(world, repository, one)),
        asked,
      );
    },
  };
}

function idOf({ path, formerly }: Repository, { number }: Pull): string {
  return `PR_${formerly[0] ?? path}_${number}`;
}

function pullOf(world: ForgeWorld, repository: Repository, one: Pull): object {
  const [mergeable, mergeStateStatus] = mergeStates[one.merges];
  const said = [...verdicts(one).values()];
  const decided = said.includes('changes')
    ? 'CHANGES_REQUESTED'
    : said.includes('approved')
      ? 'APPROVED'
      : 'REVIEW_REQUIRED';
  const state = rollup(one.checks);
  return {
    __typename: 'PullRequest',
    id: idOf(repository, one),
    number: one.number,
    url: `${world.urlOf(repository.path)}/pull/${one.number}`,
    title: one.title,
    isDraft: one.draft,
    state: one.state,
    createdAt: one.createdAt,
    updatedAt: one.updatedAt,
    mergedAt: one.state === 'MERGED' ? one.finishedAt : null,
    closedAt: one.state === 'OPEN' ? null : one.finishedAt,
    headRefName: one.branch,
    headRefOid: one.headSha,
    headRepository:
      one.from === 'gone' ? null : { url: world.urlOf(one.from === 'here' ? repository.path : one.from.fork) },
    baseRefName: one.base,
    baseRefOid: one.baseSha,
    repository: { url: world.urlOf(repository.path) },
    isInMergeQueue: one.isQueued ?? false,
    mergeable,
    mergeStateStatus: one.draft ? 'DRAFT' : mergeStateStatus,
    reviewDecision: one.needsReview ? decided : null,
    latestOpinionatedReviews: {
      nodes: said.map((verdict) => ({ state: verdict === 'changes' ? 'CHANGES_REQUESTED' : 'APPROVED' })),
    },
    reviewRequests: { totalCount: one.asked.length },
    commits: {
      nodes: [
        {
          commit: {
            statusCheckRollup:
              state === 'none' ? null : { state: rollupStates[state], contexts: { nodes: one.checks.map(contextOf) } },
          },
        },
      ],
    },
  };
}

/** The first check is reported as an old commit status, the others as check runs. */
function contextOf({ name, state }: Pull['checks'][number], place: number): object {
  if (place === 0) return { __typename: 'StatusContext', context: name, state: rollupStates[state] };
  return { __typename: 'CheckRun', name, conclusion: conclusions[state] };
}
