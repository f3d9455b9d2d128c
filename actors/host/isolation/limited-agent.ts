import { type LimitName, type Limits, limitText } from '#contract/host/limits.ts';
import type { Log } from '#contract/process-context.ts';
import { exceededIn } from '#world/isolation/cgroup.ts';
import { cgroupOf } from '#world/isolation/cgroup-place.ts';
import { privateFolderOf } from '#world/isolation/private-home.ts';
import { processInContainer } from '#world/process/container-init.ts';
import { worktreeSize } from '#world/process/worktree-size.ts';
import type { IsolatedSubject } from './sandbox-spec.ts';

/** How long measuring a folder may take, in milliseconds. */
const measureMs = 60_000;

/** An agent with limits, or the trial of a workflow. */
export interface LimitedAgent {
  readonly limits: Limits;
  readonly subject: IsolatedSubject;
  /** When a program was last about to join its group, on Node's monotonic clock. */
  readonly joinedAt: number;
  /** The limit that it exceeded, in words. */
  readonly exceeded?: string;
}

/** A limit in words; undefined if the agent does not have it. */
export function textOf({ limits }: LimitedAgent, name: LimitName | undefined): string | undefined {
  const value = name && limits[name];
  return name && value ? limitText(name, value) : undefined;
}

/** The limit that an agent in a container exceeded, in words. */
export async function exceededInside(agent: LimitedAgent): Promise<string | undefined> {
  const { id, launch } = agent.subject;
  const { memoryMib, maxProcesses } = agent.limits;
  if (launch.isolation !== 'container' || !(memoryMib || maxProcesses)) return undefined;
  const pid = await processInContainer(id);
  const group = pid === undefined ? undefined : cgroupOf(pid);
  return textOf(agent, group && exceededIn(group.folders));
}

/** The folders of an agent whose disk is limited. A child works in the worktree of its parent, to which that counts. */
export function measuredFolders({ id, worktree, launch }: IsolatedSubject, sandboxes: string): string[] {
  const own = launch.isolation === undefined ? [] : [privateFolderOf(sandboxes, id).root];
  return [...(worktree === undefined ? [] : [worktree]), ...own];
}

/** The size of an agent's files, in bytes, without the folders that could not be measured in time. */
export async function sizeOf(
  subject: IsolatedSubject,
  { sandboxes, log }: { readonly sandboxes: string; readonly log: Pick<Log, 'warn'> },
): Promise<number> {
  let bytes = 0;
  for (const folder of measuredFolders(subject, sandboxes)) {
    const size = await worktreeSize(folder, measureMs);
    if (size === undefined)
      log.warn({ agentId: subject.id, folder }, 'the disk that an agent takes could not be measured');
    bytes += size ?? 0;
  }
  return bytes;
}
