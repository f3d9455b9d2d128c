import { join, posix } from 'node:path';
import { askHost, type HostRequester } from '#actors/registry/host/host-call.ts';
import { contains } from '#actors/registry/placement/path-within.ts';
import { beyondOwnRights, type LaunchRights } from '#actors/registry/rights/rights.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';

/** A directory as a host resolves it. */
interface ResolvedDirectory {
  readonly path: string;
  /** The git directory that all checkouts of its repository share; undefined if it is not in a repository. */
  readonly repository?: string | undefined;
  /** The host's state folder, which has every agent's worktree. */
  readonly stateFolder?: string | undefined;
}

/** The directory that an agent requests for a launch. */
interface RequestedDirectory {
  /** As the request names it. */
  readonly dir: string;
  readonly workflow: StoredWorkflow;
  readonly host: StoredHost;
}

/**
 * Checks that an agent may launch in a directory: one within its own, the workflow's, or a granted directory. Returns
 * the directory's repository, and whether a worktree may be made from it: always within a granted directory, otherwise
 * only if it is the workflow's repository.
 * @throws PERMISSION_DENIED when the directory is elsewhere
 */
export async function checkDirectoryGranted(
  lines: HostRequester,
  rights: LaunchRights,
  { dir, workflow, host }: RequestedDirectory,
  { path, stateFolder, repository }: ResolvedDirectory,
): Promise<{ readonly repository: string | undefined; readonly mayProvision: boolean }> {
  const resolve = (one: string) => askHost(lines, host, hostCalls.directory, { path: one });
  const isIn = (root: string): boolean => contains(root, path, stateFolder);
  for (const granted of rights.workflow.agentsMayLaunch.directories ?? []) {
    if (isIn((await resolve(granted)).path)) return { repository, mayProvision: true };
  }
  const base = await resolve(workflow.cwd);
  const own =
    rights.agent.host === host.id ? await ownDirectory(rights, async (one) => (await resolve(one)).path) : undefined;
  if (isIn(base.path) || (own !== undefined && isIn(own))) {
    return { repository, mayProvision: repository !== undefined && repository === base.repository };
  }
  const where = path === dir ? '' : ` (${path})`;
  const has = [own, base.path]
    .filter((one) => one !== undefined)
    .map(quoted)
    .join(' and ');
  throw beyondOwnRights(rights, 'dir', `${dir}${where}`, `what you have is ${has}`, `directories ${quoted(path)}`);
}

/**
 * The refusal of a worktree from another repository than the workflow's: the workflow's scripts would run on files that
 * the agent chose.
 */
export function otherRepository(rights: LaunchRights, path: string, base: string): Failure {
  return new Failure(
    'BEYOND_OWN_RIGHTS',
    `dir is ${quoted(path)}, which is in another repository than ${quoted(base)}, and the worktree would be made from it: set ` +
      'provisionEnabled to false, or ask the person, who can allow it: ' +
      `muster workflow edit ${quoted(rights.workflow.name)} --agents-may-launch-directories ${quoted(path)}`,
    { field: 'dir' },
  );
}

/** An agent's own directory. If it has become a symbolic link, that is not followed: the agent may have made it. */
async function ownDirectory({ agent }: LaunchRights, resolve: (path: string) => Promise<string>): Promise<string> {
  const { dir, base } = posix.parse(agent.cwd);
  return base === '' ? agent.cwd : join(await resolve(dir), base);
}
