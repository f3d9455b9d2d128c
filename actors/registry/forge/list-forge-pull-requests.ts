import { z } from 'zod';
import { badCursor, cursorCodec } from '#actors/registry/kernel/cursor.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import { Failure } from '#contract/failure.ts';
import type { ForgeReading } from '#contract/forge/forge.ts';
import type { ForgePullRequest } from '#contract/forge/pull-request.ts';
import { listForgePullRequests } from '#contract/operations/forge.ts';
import { forgePageSize } from '#contract/page.ts';
import { quoted } from '#contract/quoted.ts';
import { requireRemote } from '#world/git/remote/remote-url.ts';
import { asking } from './asking.ts';
import type { ForgeScope } from './forge-scope.ts';
import { requireForge } from './require-forge.ts';
import { requireKnown } from './require-known.ts';

const cursors = cursorCodec('forge-pull-requests', {
  connection: z.string(),
  path: z.string(),
  branch: z.string(),
  page: z.string().max(2_000),
});

/** Queries the forge of a remote's host. None of it is stored. */
export const listForgePullRequestsHandler = handler(
  listForgePullRequests,
  async (request, caller, { forges, store }: ForgeScope) => {
    const { remoteUrl, branch = '', pagination } = request;
    const pageSize = pageLimit(pagination?.pageSize, forgePageSize);
    const remote = requireRemote(remoteUrl);
    requireBranch(branch);
    const after = cursors.read(pagination?.cursor);
    const forge = await requireForge(forges, remote.host);
    const { connectionId: connection, client } = forge;
    await store.read((tables) => requireKnown(tables, caller, remote));
    const path = forge.pathOf(remote.path);
    if (after && (after.connection !== connection || after.path !== path || after.branch !== branch)) {
      throw badCursor(pagination?.cursor ?? '', 'was made for another repository or branch');
    }
    const page = await asking((signal) =>
      client.list(
        path,
        {
          state: branch === '' ? 'open' : 'all',
          pageSize,
          plain: true,
          ...(branch !== '' && { branch }),
          ...(after && { cursor: after.page }),
        },
        { signal },
      ),
    );
    return {
      pullRequests: page.readings.map(pullRequestOf),
      ...(page.nextCursor !== undefined && {
        nextPageToken: cursors.write({ connection, path, branch, page: page.nextCursor }),
      }),
    };
  },
);

/** The fields of the answer, without empty ones. */
function pullRequestOf(reading: ForgeReading): z.input<typeof ForgePullRequest> {
  const { reviewDecision, checks, mergeability, failingChecks, inMergeQueue, mergeIsFinal, ...fields } = reading;
  return fields;
}

/** By git's own rules for branch names, and nothing that could be read as an option. */
function requireBranch(branch: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  if (!/^-|[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|^\/|[/.]$|\.lock$/.test(branch)) return;
  throw new Failure('INVALID_FIELD', `branch ${quoted(branch)} is not a branch name: write it as git branch shows it`, {
    field: 'branch',
  });
}
