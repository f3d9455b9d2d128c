import { askHost } from '#actors/registry/host/host-call.ts';
import type { HostLines } from '#bus/host-line/host-lines.ts';
import { Failure } from '#contract/failure.ts';
import type { LeftBehind } from '#contract/operations/create-agent.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { Store } from '#store/store.ts';

/** How long the launching caller waits for it, in milliseconds. */
const withinMs = 4_000;
const none = { count: 0, names: [] };

/**
 * What an agent's worktree will lack of the directory that it is made from; undefined if that is nothing, or cannot be
 * read.
 */
export async function leftBehindOf(
  { store, lines }: { readonly store: Pick<Store, 'read'>; readonly lines: Pick<HostLines, 'ask'> },
  agentId: string,
): Promise<LeftBehind | undefined> {
  const agent = await store.read(({ agents }) => agents.find(agentId));
  if (agent === undefined || !agent.launch.provision) return undefined;
  const { cwd: path, withChanges } = agent.launch;
  const host = { id: agent.host, name: agent.host };
  try {
    const { leftBehind: found } = await askHost(lines, host, hostCalls.leftBehind, { path }, withinMs);
    if (found === undefined) return undefined;
    const left = withChanges ? { ...found, changed: none, untracked: none } : found;
    return Object.values(left).some(({ count }) => count > 0) ? left : undefined;
  } catch (error) {
    // The agent is launched: a note about it that is not to be had does not fail that.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
