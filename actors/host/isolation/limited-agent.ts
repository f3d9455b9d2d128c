import { Failure } from '#contract/failure.ts';
import { type LimitName, type Limits, limitText } from '#contract/host/limits.ts';
import type { Log } from '#contract/process-context.ts';
import type { CgroupPlace } from '#world/isolation/cgroup-place.ts';
import { privateFolderOf } from '#world/isolation/private-home.ts';
import { fileCount, worktreeSize } from '#world/process/worktree-size.ts';
import type { IsolatedSubject } from './sandbox-spec.ts';

/** How long measuring a folder may take, in milliseconds. */
const measureMs = 60_000;
/** How often files are counted, in milliseconds: that costs as much as measuring them. */
const countEveryMs = 15_000;
/** What each file counts beside its content, in bytes: a file system has room for so many files only. */
const bytesOfFile = 1024;

/** An agent with limits, or the trial of a workflow. */
export interface LimitedAgent {
  readonly limits: Limits;
  readonly subject: IsolatedSubject;
  /** When a program was last about to join its group, on Node's monotonic clock. */
  readonly joinedAt: number;
  /** The limit that it exceeded, in words. */
  readonly exceeded?: string;
  /** What its files counted beside their content when they were last counted, in bytes, and when, on Node's clock. */
  readonly counted?: { readonly bytes: number; readonly at: number };
  /** Whether everything that it started has ended since then. */
  readonly hasEnded?: boolean;
}

/** A limit in words; undefined if the agent does not have it. */
export function textOf({ limits }: LimitedAgent, name: LimitName | undefined): string | undefined {
  const value = name && limits[name];
  return name && value ? limitText(name, value) : undefined;
}

/** Whether an engine holds limits of an agent in a container. */
export function isHeldByEngine({ limits: { memoryMib, maxProcesses }, subject: { launch } }: LimitedAgent): boolean {
  return launch.isolation === 'container' && Boolean(memoryMib || maxProcesses);
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

/** What an agent's files count beside their content: empty ones use up a file system as well. */
export async function countedFiles(
  { subject, counted }: Pick<LimitedAgent, 'subject' | 'counted'>,
  sandboxes: string,
): Promise<NonNullable<LimitedAgent['counted']>> {
  const at = performance.now();
  if (counted !== undefined && at - counted.at < countEveryMs) return counted;
  let files = 0;
  for (const folder of measuredFolders(subject, sandboxes)) files += (await fileCount(folder, measureMs)) ?? 0;
  return { bytes: files * bytesOfFile, at };
}

/** The refusal of a limit of disk for an agent without files of its own. */
export function nothingToMeasure(): Failure {
  return new Failure(
    'ISOLATION_UNAVAILABLE',
    'cannot be limited: without a worktree of its own and without isolation, no files are its own. Give it a worktree, isolate it, or ' +
      'take --disk-mib off its workflow',
  );
}

/** The refusal of a limit of processors by a host whose control groups have none. */
export function noProcessorLimit({ folders: { memory } }: CgroupPlace): Failure {
  return new Failure(
    'ISOLATION_UNAVAILABLE',
    `cannot be limited: control group ${memory} has no controller cpu. Give muster’s unit Delegate=yes, or take --cpu-percent off its workflow`,
  );
}
