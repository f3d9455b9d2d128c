import type { Double, DoubleAnswer } from './double.ts';
import { giteaDocuments } from './gitea-schemas.ts';
import { type ForgeWorld, newestFirst, type Pull, type Repository, rollup, sha } from './world.ts';

const states = { failed: 'failure', running: 'pending', passed: 'success' } as const;
const verdictNames = { approved: 'APPROVED', changes: 'REQUEST_CHANGES', comment: 'COMMENT' } as const;
const notFound: DoubleAnswer = { status: 404, body: { errors: null, message: 'not found' } };

/** The setup of a server: its page size, and the headers that a proxy keeps in its answers. */
interface Setup {
  readonly maxOnPage?: number;
  readonly hidden?: readonly ('link' | 'x-total-count')[];
}

/** Gitea and Forgejo: REST at /api/v1. */
export function giteaDouble(world: ForgeWorld, setup: Setup = {}): Double {
  return ({ url, headers }) => {
    if (headers.get('authorization') !== `token ${world.token}`)
      return { status: 401, body: { message: 'invalid token' } };
    if (url.pathname === '/api/v1/user') return { status: 200, body: giteaDocuments.user(userOf(world.login)) };
    const [, owner = '', name = '', rest = ''] = /^\/api\/v1\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
    const path = `${decodeURIComponent(owner)}/${decodeURIComponent(name)}`;
    const moved = world.moved(path);
    if (moved !== undefined) {
      return { status: 301, headers: { location: `/api/v1/repos/${moved.path}${rest}${url.search}` } };
    }
    const repository = world.find(path);
    return repository === undefined ? notFound : about(world, repository, rest, url, setup);
  };
}

function about(world: ForgeWorld, repository: Repository, rest: string, url: URL, setup: Setup): DoubleAnswer {
  if (rest === '')
    return { status: 200, body: giteaDocuments.repository(repositoryOf(world, repository.path, repository)) };
  if (rest === '/pulls') return listOf(world, repository, url, setup);
  const [, number, reviews] = /^\/pulls\/(\d+)(\/reviews)?$/.exec(rest) ?? [];
  const found = repository.pulls.find((one) => String(one.number) === number);
  if (found !== undefined) {
    if (reviews !== undefined) return reviewsPage(found, url);
    return { status: 200, body: giteaDocuments.pull(pullOf(world, repository, found)) };
  }
  const [, branch] = /^\/branches\/(.+)$/.exec(rest) ?? [];
  if (branch !== undefined) return { status: 200, body: giteaDocuments.branch(branchOf(repository, branch)) };
  const [, commit] = /^\/commits\/([0-9a-f]{40})\/status$/.exec(rest) ?? [];
  const built = repository.pulls.find(({ headSha }) => headSha === commit);
  return built === undefined ? notFound : { status: 200, body: giteaDocuments.status(statusOf(built)) };
}

function listOf(
  world: ForgeWorld,
  repository: Repository,
  url: URL,
  { maxOnPage = 50, hidden = [] }: Setup,
): DoubleAnswer {
  const asked = (name: string) => url.searchParams.get(name);
  if (asked('sort') !== 'recentupdate') throw new Error('an order that is not tried here');
  const page = Number(asked('page') ?? 1);
  const limit = Math.min(Number(asked('limit') ?? 30), maxOnPage);
  const wanted = newestFirst(repository.pulls).filter(({ state }) => asked('state') === 'all' || state === 'OPEN');
  const shown = wanted.slice((page - 1) * limit, page * limit);
  const more = page * limit < wanted.length;
  return {
    status: 200,
    headers: {
      ...(!hidden.includes('x-total-count') && { 'x-total-count': String(wanted.length) }),
      ...(more && !hidden.includes('link') && { link: `<${world.web}/api/v1/x?page=${page + 1}>; rel="next"` }),
    },
    body: giteaDocuments.pulls(shown.map((one) => pullOf(world, repository, one))),
  };
}

function reviewsPage(one: Pull, { searchParams }: URL): DoubleAnswer {
  const [page, limit] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('limit') ?? 30)];
  const all = reviewsOf(one);
  const shown = all.slice((page - 1) * limit, page * limit);
  return { status: 200, headers: { 'x-total-count': String(all.length) }, body: giteaDocuments.reviews(shown) };
}

function userOf(login: string): object {
  return { id: 1, login, full_name: '', email: `${login}@forge.test` };
}

/** The rules of a branch, as far as whoever may read it is reported them. */
function branchOf({ pulls }: Repository, encoded: string): object {
  const name = decodeURIComponent(encoded);
  const targeting = pulls.filter(({ base }) => base === name);
  const needsReview = targeting.some((one) => one.needsReview);
  return {
    name,
    protected: needsReview || targeting.some(({ merges }) => merges === 'blocked'),
    required_approvals: needsReview ? 1 : 0,
    enable_status_check: false,
    status_check_contexts: [],
    user_can_push: false,
    user_can_merge: false,
    effective_branch_protection_name: '',
  };
}

function repositoryOf(world: ForgeWorld, path: string, repository?: Repository): object {
  const name = path.split('/')[1] ?? '';
  const bare = { id: 1, name, full_name: path, html_url: world.urlOf(path) };
  const parent = repository?.parent;
  return {
    ...bare,
    fork: parent !== undefined,
    parent: parent === undefined ? null : withoutParent(repositoryOf(world, parent)),
  };
}

function withoutParent({ parent, ...rest }: { parent?: unknown }): object {
  return rest;
}

function pullOf(world: ForgeWorld, repository: Repository, one: Pull): object {
  const isMerged = one.state === 'MERGED';
  const repo = repositoryOf(world, repository.path, repository);
  const fork = typeof one.from === 'object' ? withoutParent(repositoryOf(world, one.from.fork)) : repo;
  return {
    id: 5_000 + one.number,
    html_url: `${world.urlOf(repository.path)}/pulls/${one.number}`,
    number: one.number,
    title: one.title,
    state: one.state === 'OPEN' ? 'open' : 'closed',
    draft: one.draft,
    mergeable: !one.draft && one.state === 'OPEN' && one.merges !== 'conflict' && one.merges !== 'checking',
    merged: isMerged,
    merged_at: isMerged ? one.finishedAt : null,
    closed_at: one.state === 'OPEN' ? null : one.finishedAt,
    created_at: inZone(one.createdAt),
    updated_at: inZone(one.updatedAt),
    requested_reviewers: one.asked.length === 0 ? null : one.asked.map(userOf),
    head: {
      label: one.branch,
      ref: one.isBranchDeleted ? `refs/pull/${one.number}/head` : one.branch,
      sha: one.headSha,
      repo_id: one.from === 'gone' ? -1 : 1,
      repo: one.from === 'gone' ? null : fork,
    },
    base: { label: one.base, ref: one.base, sha: one.baseSha, repo_id: 1, repo },
    merge_base: one.merges === 'behind' ? sha(`before ${one.baseSha}`) : one.baseSha,
  };
}

/** Gitea reports times in its own zone. */
function inZone(at: string): string {
  return new Date(Date.parse(at) + 3_600_000).toISOString().replace('.000Z', '+01:00');
}

function reviewsOf({ reviews, asked }: Pull): object[] {
  const said = reviews.map(({ user, verdict, outdated }, place) => ({
    id: place,
    state: verdictNames[verdict],
    official: true,
    stale: outdated ?? false,
    dismissed: false,
    user: userOf(user),
  }));
  const awaited = asked.map((user, place) => ({
    id: 100 + place,
    state: 'REQUEST_REVIEW',
    official: true,
    stale: false,
    dismissed: false,
    user: userOf(user),
  }));
  return [...said, ...awaited];
}

function statusOf({ checks, headSha }: Pull): object {
  const state = rollup(checks);
  return {
    sha: headSha,
    state: state === 'none' ? '' : states[state],
    total_count: checks.length,
    statuses: checks.map(({ name, state: one }, id) => ({ id, status: states[one], context: name })),
  };
}
