import { askHost, type HostRequester } from '#actors/registry/host/host-call.ts';
import { Failure } from '#contract/failure.ts';
import type { LeftBehind } from '#contract/operations/create-agent.ts';
import type { LeftBehind as FoundLeft } from '#contract/wire/left-behind.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { Store } from '#store/store.ts';

/** How long the caller of a launch waits for this, in milliseconds. */
const withinMs = 4_000;

/**
 * Which files of the directory that an agent's worktree is made from the worktree will lack; undefined if it lacks
 * none, or if the host cannot list them.
 */
export async function leftBehindOf(
  { store, lines }: { readonly store: Pick<Store, 'read'>; readonly lines: HostRequester },
  agentId: string,
): Promise<LeftBehind | undefined> {
  const agent = await store.read(({ agents }) => agents.find(agentId));
  if (agent === undefined || agent.queued || !agent.launch.provision) return undefined;
  const { cwd: path, withChanges } = agent.launch;
  const host = { id: agent.host, name: agent.host };
  try {
    const asked = { path, withChanges: withChanges === true };
    const { leftBehind: found } = await askHost(lines, host, hostCalls.leftBehind, asked, withinMs);
    return found === undefined || isNothing(found) ? undefined : shownLeft(found);
  } catch (error) {
    // The agent is launched already, so failing to list the files must not fail the call.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function isNothing({ changed, untracked, ignored, submodules, notCopied = [] }: FoundLeft): boolean {
  return notCopied.length === 0 && [changed, untracked, ignored, submodules].every(({ count }) => count === 0);
}

function shownLeft({ notCopied, notCopiedCount, ...lacked }: FoundLeft): LeftBehind {
  if (notCopied === undefined) return lacked;
  const shown = notCopied.map(({ path, reason, bytes }) => ({
    path,
    reason: reasons[reason],
    ...(bytes !== undefined && { bytes: String(bytes) }),
  }));
  return { ...lacked, notCopied: shown, notCopiedCount };
}

const reasons = {
  large: 'NOT_COPIED_REASON_LARGE',
  repository: 'NOT_COPIED_REASON_REPOSITORY',
  unreadable: 'NOT_COPIED_REASON_UNREADABLE',
} as const;
