import { join, posix } from 'node:path';
import { askHost, type HostAsker } from '#actors/registry/host/host-call.ts';
import { holds } from '#actors/registry/placement/within.ts';
import { type LaunchRights, more } from '#actors/registry/rights/rights.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { StoredWorkflow } from '#store/workflow/workflow-entity.ts';

/** A directory as a host resolves it. */
interface Resolved {
  readonly path: string;
  /** What all checkouts of its repository share; undefined if it is in none. */
  readonly repository?: string | undefined;
  /** Where the host keeps what is its own, such as every agent's worktree. */
  readonly stateFolder?: string | undefined;
}

/** What a launch of an agent asks for. */
interface WantedDirectory {
  /** As the request names it. */
  readonly dir: string;
  readonly workflow: StoredWorkflow;
  readonly host: StoredHost;
}

/**
 * Refuses a directory that is not within what an agent has: its own, the workflow's, and what is granted to it. Returns
 * the git directory that a worktree of it must come from: the workflow's repository, or any if the directory is
 * granted.
 * @throws PERMISSION_DENIED
 */
export async function checkDirectoryGranted(
  lines: HostAsker,
  rights: LaunchRights,
  { dir, workflow, host }: WantedDirectory,
  { path, stateFolder, repository }: Resolved,
): Promise<{ readonly repository: string | undefined; readonly mayProvision: boolean }> {
  const resolve = (one: string) => askHost(lines, host, hostCalls.directory, { path: one });
  const isIn = (root: string): boolean => holds(root, path, stateFolder);
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
  throw more(rights, 'dir', `${dir}${where}`, `what you have is ${has}`, `directories ${quoted(path)}`);
}

/**
 * The refusal of a worktree from a repository that is not the workflow's: its scripts would run on what the agent put
 * there.
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

/** An agent's own directory. A link that is in its place by now is not followed: the agent may have put it there. */
async function ownDirectory({ agent }: LaunchRights, resolve: (path: string) => Promise<string>): Promise<string> {
  const { dir, base } = posix.parse(agent.cwd);
  return base === '' ? agent.cwd : join(await resolve(dir), base);
}
