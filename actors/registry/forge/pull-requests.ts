import { z } from 'zod';
import { change } from '#actors/registry/agent/change.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { badCursor, cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { fitRows } from '#actors/registry/kernel/fit-rows.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import type { Change } from '#actors/registry/kernel/writing.ts';
import { Failure } from '#contract/failure.ts';
import { listPullRequests, sweepRepository } from '#contract/operations/pull-request.ts';
import { readSweepContext } from '#machines/forge/sweep-context.ts';
import type { PullRequestPage } from '#store/forge/pull-request-table.ts';
import type { StoredRepository } from '#store/forge/repository-entity.ts';
import type { Tables } from '#store/tables.ts';
import { remoteWebUrl, requireRemote } from '#world/git/remote/remote-url.ts';
import { readConfirmedRepositories } from './confirmed-repositories.ts';
import type { ForgeScope } from './forge-scope.ts';
import { pullRequestOf } from './pull-request-resource.ts';
import { addRepository, addressOf, advanceRepository } from './repositories.ts';
import { repositoryReadingOf } from './repository-resource.ts';
import { requireForge } from './require-forge.ts';
import { requireKnown } from './require-known.ts';

const cursors = cursorCodec('pull-requests', {
  agent: z.string(),
  remote: z.string(),
  state: z.string(),
  updatedAt: z.int(),
  id: z.string(),
});

/** Lists stored pull requests, most recently updated first. */
export const listPullRequestsHandler = handler(listPullRequests, async (request, caller, { store }) => {
  const { pagination, agentId: agent = '', remoteUrl: remote = '', state = 'PULL_REQUEST_STATE_UNSPECIFIED' } = request;
  const limit = pageLimit(pagination?.pageSize);
  const after = cursors.read(pagination?.cursor);
  if (after && (after.agent !== agent || after.remote !== remote || after.state !== state)) {
    throw badCursor(pagination?.cursor ?? '', 'was made for another listing');
  }
  const wanted = state === 'PULL_REQUEST_STATE_UNSPECIFIED' ? undefined : state;
  if (wanted === 'PULL_REQUEST_STATE_UNREAD' || wanted === 'PULL_REQUEST_STATE_NONE') {
    throw new Failure('INVALID_FIELD', `state is ${wanted}, which no pull request has: name another state`, {
      field: 'states',
    });
  }
  const asked = remote === '' ? undefined : requireRemote(remote);
  return store.read(async (tables) => {
    if (asked !== undefined) await requireKnown(tables, caller, asked);
    const which: Pick<PullRequestPage, 'branch' | 'targets' | 'repositories'> = {
      ...(agent === '' ? {} : { branch: await branchOf(tables, agent) }),
      ...(asked === undefined ? {} : { targets: await targetsOf(tables, addressOf(remoteWebUrl(asked))) }),
      // Agents see the branch of another agent as list_agents shows it, and also what is read for themselves.
      ...(agent === '' && caller.kind === 'agent' && { repositories: await repositoriesOf(tables, caller.agentId) }),
    };
    if (agent !== '' && which.branch === undefined) return { pullRequests: [] };
    const found = await tables.pullRequests.page({ ...which, state: wanted, after, limit: limit + 1 });
    const rows = fitRows(found.slice(0, limit).map(pullRequestOf));
    const last = found[rows.length - 1];
    const more = last !== undefined && found.length > rows.length;
    const place = { agent, remote, state, updatedAt: last?.updatedAt ?? 0, id: last?.id ?? '' };
    return { pullRequests: rows, ...(more ? { nextPageToken: cursors.write(place) } : {}) };
  });
});

/** The repositories that are read for the workflow of an agent. */
async function repositoriesOf(tables: Tables, agentId: string): Promise<readonly string[]> {
  const { workflowId } = await findAgent(tables.agents, agentId);
  const names = (await readConfirmedRepositories(tables, [workflowId])).namesOf(workflowId);
  const found = await tables.repositories.named([...names]);
  return [...new Set([...found.values()].map(({ id }) => id))];
}

/** The branch that an agent is on, in the repository that it pushes to; undefined if either is unknown. */
async function branchOf(tables: Tables, agentId: string): Promise<PullRequestPage['branch']> {
  const { agents, repositories } = tables;
  const { branch, repositoryUrl, workflowId } = await findAgent(agents, agentId);
  if (branch == null || repositoryUrl == null) return undefined;
  if (!(await readConfirmedRepositories(tables, [workflowId])).holds(workflowId, repositoryUrl)) return undefined;
  const address = addressOf(repositoryUrl);
  const repository = (await repositories.named([address])).get(address);
  return repository && { repository: repository.id, headBranch: branch };
}

/** The names under which pull requests that target a repository are stored. */
async function targetsOf({ repositories }: Tables, address: string): Promise<readonly string[]> {
  const repository = (await repositories.named([address])).get(address);
  return [...new Set([address, repository?.place ?? address])];
}

/** Has a repository swept at once. */
export const sweepRepositoryHandler = handler(sweepRepository, async ({ remoteUrl }, caller, scope: ForgeScope) => {
  const remote = requireRemote(remoteUrl);
  const { connectionId } = await requireForge(scope.forges, remote.host);
  await scope.store.read((tables) => requireKnown(tables, caller, remote));
  const url = remoteWebUrl(remote);
  const repository = await change(scope, (writing) => makeDue(writing, url, connectionId));
  return { repository: repositoryReadingOf(repository) };
});

async function makeDue(writing: Change, url: string, connection: string): Promise<StoredRepository> {
  const { tables, now } = writing;
  const address = addressOf(url);
  const known = (await tables.repositories.named([address])).get(address);
  if (known === undefined) return addRepository(writing, { url, connection, pace: 'idle' });
  const advanced = await advanceRepository(writing, known, { type: 'NUDGE', now }, { connection });
  if (advanced !== undefined || known.state === 'due') return advanced ?? known;
  const until = new Date(readSweepContext(known.snapshot).notBefore ?? now).toISOString();
  throw new Failure('FORGE_RATE_LIMITED', `The forge of ${url} accepts no requests until ${until}: try again then`);
}
