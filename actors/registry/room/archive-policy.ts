import type { HostScope } from '#actors/registry/host/host-scope.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import type { ArchivePolicy } from '#contract/agent/archive-policy.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import { type Cleaning, cleanAgent } from './clean-agent.ts';

/** How often archived agents are looked through, and how soon one whose files stayed is tried again, in milliseconds. */
const [every, againAfter] = [3_600_000, 86_400_000];
const day = 86_400_000;

/** Cleans archived agents once they have been in the archive as long as their workflow says. One registry does so. */
export function followArchivePolicies(scope: HostScope, peers: { readonly leads: boolean }): Service {
  const tried = new Map<string, number>();
  const pass = async (signal: AbortSignal): Promise<void> => {
    if (!peers.leads) return;
    const now = scope.clock.now();
    for (const [key, at] of tried) if (Math.abs(now - at) >= againAfter) tried.delete(key);
    for (const { id, cleaning } of await dueIn(scope, now)) {
      if (signal.aborted) return;
      if (tried.has(`${id} ${cleaning}`)) continue;
      const cleaned = await cleanAgent(scope, id, cleaning);
      tried.set(`${id} ${cleaning}`, now);
      if (cleaned?.kept?.length) scope.log.info({ agentId: id, kept: cleaned.kept }, 'an archived agent keeps files');
    }
  };
  return new Poller({ name: 'archive policies', every, pass }, scope).start();
}

interface DueAgent {
  readonly id: string;
  readonly cleaning: Cleaning;
}

/** The archived agents that are to be cleaned now, which are read in parts of so many. */
export async function dueIn(
  { store }: Pick<HostScope, 'store'>,
  now: number,
  atOnce = 500,
): Promise<readonly DueAgent[]> {
  return store.read(async ({ disks, workflows }) => {
    const due: DueAgent[] = [];
    for (const { id: workflowId, archivePolicy } of await workflows.withArchivePolicy()) {
      if (!archivePolicy.buildFoldersAfterDays && !archivePolicy.worktreesAfterDays) continue;
      let part: readonly StoredAgent[] = [];
      do {
        part = await disks.archived({ workflowId, limit: atOnce, after: part.at(-1)?.id });
        for (const agent of part) {
          const cleaning = cleaningOf(archivePolicy, (now - (agent.archivedAt ?? now)) / day);
          if (cleaning !== undefined) due.push({ id: agent.id, cleaning });
        }
      } while (part.length === atOnce);
    }
    return due;
  });
}

/** What is deleted of an agent that has been in the archive for so many days; undefined for nothing. */
function cleaningOf(
  { buildFoldersAfterDays: folders, worktreesAfterDays: worktrees }: ArchivePolicy,
  days: number,
): Cleaning | undefined {
  if (worktrees && days >= worktrees) return 'worktree';
  return folders && days >= folders ? 'build-folders' : undefined;
}
