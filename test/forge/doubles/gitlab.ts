import type { Double } from './double.ts';
import { gitlabSchema } from './gitlab-schema.ts';
import { connection, graphqlAnswer } from './graphql-answer.ts';
import { type ForgeWorld, newestFirst, type Pull, type Repository, rollup, verdicts } from './world.ts';

const mergeStates: Readonly<Record<Pull['merges'], string>> = {
  clean: 'MERGEABLE',
  conflict: 'CONFLICT',
  behind: 'NEED_REBASE',
  blocked: 'DISCUSSIONS_NOT_RESOLVED',
  checking: 'CHECKING',
  unstable: 'CI_STILL_RUNNING',
};
const states = { OPEN: 'opened', CLOSED: 'closed', MERGED: 'merged' } as const;
const pipelines = { failed: 'FAILED', running: 'RUNNING', passed: 'SUCCESS' } as const;

interface QueryVariables {
  readonly iids?: readonly string[] | null;
  readonly sourceBranches?: readonly string[] | null;
  readonly state?: string | null;
  readonly first?: number | null;
  readonly after?: string | null;
  readonly sort?: string | null;
}

/** GitLab: GraphQL at /api/graphql and REST at /api/v4. */
export function gitlabDouble(world: ForgeWorld): Double {
  return ({ url, headers, body }) => {
    if (headers.get('authorization') !== `Bearer ${world.token}`) {
      return { status: 401, body: { errors: [{ message: 'Invalid token' }] } };
    }
    if (url.pathname === '/api/graphql') return graphqlAnswer(gitlabSchema, body, rootOf(world));
    const [, encoded = ''] = /^\/api\/v4\/projects\/([^/]+)$/.exec(url.pathname) ?? [];
    const path = decodeURIComponent(encoded);
    const moved = world.moved(path);
    if (moved !== undefined) {
      return { status: 301, headers: { location: `/api/v4/projects/${encodeURIComponent(moved.path)}` } };
    }
    const found = world.find(path);
    if (found === undefined) return { status: 404, body: { message: '404 Project Not Found' } };
    const forked = found.parent === undefined ? {} : { forked_from_project: { path_with_namespace: found.parent } };
    return { status: 200, body: { id: 7, path_with_namespace: found.path, ...forked } };
  };
}

function rootOf(world: ForgeWorld): object {
  return {
    currentUser: { username: world.login },
    project: ({ fullPath }: { fullPath: string }) => {
      const found = world.find(fullPath);
      return found === undefined ? null : projectOf(world, found);
    },
  };
}

function projectOf(world: ForgeWorld, repository: Repository): object {
  return {
    webUrl: world.urlOf(repository.path),
    fullPath: repository.path,
    mergeRequests: (asked: QueryVariables) => {
      // Those that are requested individually come in any order.
      if (asked.iids == null && asked.sort !== 'UPDATED_DESC') throw new Error('an order that is not tried here');
      const wanted = newestFirst(repository.pulls).filter(
        (one) =>
          (asked.iids?.includes(String(one.number)) ?? true) &&
          (asked.sourceBranches?.includes(one.branch) ?? true) &&
          (asked.state == null || asked.state === 'all' || asked.state === states[one.state]),
      );
      return connection(
        wanted.map((one) => mergeRequestOf(world, repository, one)),
        asked,
      );
    },
  };
}

function mergeRequestOf(world: ForgeWorld, repository: Repository, one: Pull): object {
  const said = verdicts(one);
  const approvedBy = [...said].filter(([, verdict]) => verdict === 'approved').map(([username]) => ({ username }));
  const isApproved = !one.needsReview || approvedBy.length > 0;
  const state = rollup(one.checks);
  return {
    id: `gid://gitlab/MergeRequest/${1_000 + one.number}`,
    iid: String(one.number),
    webUrl: `${world.urlOf(repository.path)}/-/merge_requests/${one.number}`,
    title: one.title,
    draft: one.draft,
    state: states[one.state],
    createdAt: one.createdAt,
    updatedAt: one.updatedAt,
    mergedAt: one.state === 'MERGED' ? one.finishedAt : null,
    closedAt: one.state === 'CLOSED' ? one.finishedAt : null,
    sourceBranch: one.branch,
    targetBranch: one.base,
    sourceProject:
      one.from === 'gone' ? null : { webUrl: world.urlOf(one.from === 'here' ? repository.path : one.from.fork) },
    diffHeadSha: one.headSha,
    diffRefs: { baseSha: one.baseSha, headSha: one.headSha, startSha: one.baseSha },
    detailedMergeStatus: mergeStatus(one, isApproved),
    approved: isApproved,
    approvedBy: { nodes: approvedBy },
    reviewers: {
      nodes: [
        ...one.asked.map((username) => ({ username, mergeRequestInteraction: { reviewState: 'UNREVIEWED' } })),
        ...[...said].map(([username, verdict]) => ({
          username,
          mergeRequestInteraction: { reviewState: verdict === 'changes' ? 'REQUESTED_CHANGES' : 'APPROVED' },
        })),
      ],
    },
    headPipeline: state === 'none' ? null : { status: pipelines[state], jobs: (asked: object) => jobsOf(one, asked) },
  };
}

function mergeStatus({ state, draft, merges }: Pull, isApproved: boolean): string {
  if (state !== 'OPEN') return 'NOT_OPEN';
  if (draft) return 'DRAFT_STATUS';
  return merges === 'blocked' && !isApproved ? 'NOT_APPROVED' : mergeStates[merges];
}

/** A job that may fail is among them, and fails. */
function jobsOf({ checks }: Pull, asked: object): object {
  const failed = checks.filter(({ state }) => state === 'failed').map(({ name }) => ({ name, allowFailure: false }));
  return connection([...failed, { name: 'may-fail', allowFailure: true }], asked);
}
