import { bitbucketDocuments } from './bitbucket-schemas.ts';
import type { Double, DoubleAnswer } from './double.ts';
import { type ForgeWorld, newestFirst, type Pull, type Repository, verdicts } from './world.ts';

const states = { OPEN: 'OPEN', CLOSED: 'DECLINED', MERGED: 'MERGED' } as const;
const statusStates = { failed: 'FAILED', running: 'INPROGRESS', passed: 'SUCCESSFUL' } as const;
const notFound: DoubleAnswer = { status: 404, body: { type: 'error', error: { message: 'Repository not found' } } };

/** Bitbucket Cloud: REST at /2.0. */
export function bitbucketDouble(world: ForgeWorld): Double {
  return ({ url, headers }) => {
    if (headers.get('authorization') !== `Bearer ${world.token}`) return { status: 401, body: { type: 'error' } };
    if (url.pathname === '/2.0/user') {
      return { status: 200, body: bitbucketDocuments.account({ type: 'user', username: world.login }) };
    }
    const [, owner = '', name = '', rest = ''] =
      /^\/2\.0\/repositories\/([^/]+)\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
    const path = `${decodeURIComponent(owner)}/${decodeURIComponent(name)}`;
    const moved = world.moved(path);
    if (moved !== undefined) {
      return { status: 301, headers: { location: `/2.0/repositories/${moved.path}${rest}${url.search}` } };
    }
    const repository = world.find(path);
    const [, short] = /^\/commit\/([0-9a-f]+)$/.exec(rest) ?? [];
    if (short !== undefined) return commitOf(world, short);
    return repository === undefined ? notFound : about(world, repository, rest, url);
  };
}

/** A fork keeps the commits of what it was forked from, and the other way round. */
function commitOf({ repositories }: ForgeWorld, short: string): DoubleAnswer {
  const all = repositories.flatMap(({ pulls }) => pulls.flatMap(({ headSha, baseSha }) => [headSha, baseSha]));
  const hash = all.find((one) => one.startsWith(short));
  return hash === undefined ? notFound : { status: 200, body: bitbucketDocuments.commit({ type: 'commit', hash }) };
}

function about(world: ForgeWorld, repository: Repository, rest: string, url: URL): DoubleAnswer {
  if (rest === '')
    return { status: 200, body: bitbucketDocuments.repository(repositoryOf(world, repository.path, repository)) };
  if (rest === '/pullrequests') return listOf(world, repository, url);
  const [, number, part] = /^\/pullrequests\/(\d+)(?:\/(\w+))?$/.exec(rest) ?? [];
  const found = repository.pulls.find((one) => String(one.number) === number);
  if (found === undefined) return notFound;
  switch (part) {
    case undefined:
      return { status: 200, body: bitbucketDocuments.pull(pullOf(world, repository, found)) };
    case 'statuses':
      return { status: 200, body: bitbucketDocuments.statuses({ values: found.checks.map(statusOf) }) };
    case 'diffstat':
      return diffstatOf(found, url);
    case 'activity':
      return { status: 200, body: bitbucketDocuments.activity({ values: activityOf(found) }) };
    default:
      return notFound;
  }
}

function listOf(world: ForgeWorld, repository: Repository, url: URL): DoubleAnswer {
  const asked = url.searchParams;
  if (asked.get('sort') !== '-updated_on') throw new Error('an order that is not tried here');
  const pagelen = Number(asked.get('pagelen') ?? 10);
  if (pagelen > 50) return { status: 400, body: { type: 'error', error: { message: 'Invalid pagelen' } } };
  const page = Number(asked.get('page') ?? 1);
  const [, quoted] = /^source\.branch\.name = "((?:[^"\\]|\\.)*)"$/.exec(asked.get('q') ?? '') ?? [];
  const branch = quoted?.replace(/\\(.)/g, '$1');
  const wanted = newestFirst(repository.pulls).filter(
    (one) => asked.getAll('state').includes(states[one.state]) && (branch ?? one.branch) === one.branch,
  );
  const next = new URL(url);
  next.searchParams.set('page', String(page + 1));
  const values = wanted.slice((page - 1) * pagelen, page * pagelen).map((one) => pullOf(world, repository, one));
  const more = page * pagelen < wanted.length ? { next: next.href } : {};
  return { status: 200, body: bitbucketDocuments.pulls({ size: wanted.length, page, pagelen, values, ...more }) };
}

function linksTo(href: string): object {
  return { html: { href } };
}

function repositoryOf(world: ForgeWorld, path: string, { parent }: { parent?: string } = {}): object {
  const bare = (one: string) => ({
    type: 'repository',
    full_name: one,
    // Whatever it is called, it is the same one.
    uuid: `{${world.find(one)?.formerly[0] ?? one}}`,
    links: linksTo(world.urlOf(one)),
  });
  return { ...bare(path), ...(parent !== undefined && { parent: bare(parent) }) };
}

function pullOf(world: ForgeWorld, repository: Repository, one: Pull): object {
  const said = [...verdicts(one)].map(([username, verdict]) => ({
    type: 'participant',
    user: { username },
    role: 'REVIEWER',
    approved: verdict === 'approved',
    state: verdict === 'approved' ? 'approved' : 'changes_requested',
  }));
  const head = typeof one.from === 'object' ? one.from.fork : repository.path;
  return {
    type: 'pullrequest',
    id: one.number,
    title: one.title,
    state: one.isQueued ? 'QUEUED' : states[one.state],
    draft: one.draft,
    created_on: inMicroseconds(one.createdAt),
    updated_on: inMicroseconds(one.updatedAt),
    source: {
      branch: { name: one.branch },
      commit: { type: 'commit', hash: one.headSha.slice(0, 12) },
      repository: one.from === 'gone' ? null : repositoryOf(world, head),
    },
    destination: {
      branch: { name: one.base },
      commit: { type: 'commit', hash: one.baseSha.slice(0, 12) },
      repository: repositoryOf(world, repository.path),
    },
    links: linksTo(`${world.urlOf(repository.path)}/pull-requests/${one.number}`),
    participants: said,
    reviewers: one.asked.map((username) => ({ type: 'user', username })),
  };
}

/** Bitbucket reports times to the microsecond, with a zone. */
function inMicroseconds(at: string): string {
  return at.replace('Z', '000+00:00');
}

function statusOf({ name, state }: Pull['checks'][number]): object {
  return { type: 'build', key: `key of ${name}`, name, state: statusStates[state] };
}

/** Two pages, so that a conflict is on the second. */
function diffstatOf({ merges }: Pull, url: URL): DoubleAnswer {
  const change = (status: string) => ({ type: 'diffstat', status, lines_added: 1, lines_removed: 0 });
  if (url.searchParams.get('page') === '2') {
    const status = merges === 'conflict' ? 'merge conflict' : 'modified';
    return { status: 200, body: bitbucketDocuments.diffstat({ values: [change(status)] }) };
  }
  const next = new URL(url);
  next.searchParams.set('page', '2');
  return { status: 200, body: bitbucketDocuments.diffstat({ values: [change('added')], next: next.href }) };
}

/** Newest first; what came after the end is among it. */
function activityOf(one: Pull): object[] {
  const opened = { update: { state: 'OPEN', date: inMicroseconds(one.createdAt) } };
  if (one.state === 'OPEN') return [opened];
  return [{ update: { state: states[one.state], date: inMicroseconds(one.finishedAt ?? one.updatedAt) } }, opened];
}
