import { askHost, type TargetHost } from '#actors/registry/host/host-call.ts';
import type { ReviewPlace, ReviewPlaceState } from '#contract/review/review-thread.ts';
import { reviewCalls } from '#contract/wire/review-calls.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredRound, StoredThread } from '#store/review/entities.ts';
import { enumName } from './enum-name.ts';
import { hostOf } from './host-of.ts';
import type { ReviewScope } from './review-scope.ts';

/** How long a listing waits in all for a host to find the current places of threads, in milliseconds. */
const placedWithin = 5_000;

/**
 * The places in the newest round of threads of earlier rounds, by the threads' ids. If the host cannot find them, they
 * are left out, so that the listing does not fail.
 */
export async function placesOf(
  scope: ReviewScope,
  agent: StoredAgent,
  newest: StoredRound | undefined,
  threads: readonly StoredThread[],
  rounds: ReadonlyMap<string, StoredRound>,
): Promise<ReadonlyMap<string, ReviewPlace>> {
  const places = new Map<string, ReviewPlace>();
  if (newest === undefined) return places;
  const earlier = threads.filter(({ round }) => round !== newest.id);
  const groups = Map.groupBy(earlier, ({ round, baseSha }) => `${rounds.get(round)?.snapshotSha ?? ''} ${baseSha}`);
  if (groups.size === 0) return places;
  const host = await scope.store.read((tables) => hostOf(tables, agent));
  const until = scope.lines.now() + placedWithin;
  for (const group of groups.values()) {
    const withinMs = until - scope.lines.now();
    if (withinMs <= 0) break;
    for (const [id, place] of await carried(scope, { agent, host, newest }, { threads: group, withinMs }, rounds))
      places.set(id, place);
  }
  return places;
}

/** Where threads are carried to. */
interface CarryTarget {
  readonly agent: StoredAgent;
  readonly host: TargetHost;
  readonly newest: StoredRound;
}

async function carried(
  scope: ReviewScope,
  { agent, host, newest }: CarryTarget,
  { threads, withinMs }: { readonly threads: readonly StoredThread[]; readonly withinMs: number },
  rounds: ReadonlyMap<string, StoredRound>,
): Promise<(readonly [string, ReviewPlace])[]> {
  const { id: roundId, ordinal: roundOrdinal, baseSha, snapshotSha } = newest;
  const [first] = threads;
  const from = first && rounds.get(first.round);
  if (first === undefined || from === undefined) return [];
  const request = {
    agentId: agent.id,
    from: { baseSha: first.baseSha, snapshotSha: from.snapshotSha },
    to: { baseSha, snapshotSha },
    anchors: threads.map(anchorOf),
  };
  try {
    const { placements } = await askHost(scope.lines, host, reviewCalls.carryThreads, request, withinMs);
    return threads.flatMap(({ id }, at) => {
      const placement = placements[at];
      if (placement === undefined) return [];
      const { state, ...where } = placement;
      return [
        [id, { ...where, state: enumName('REVIEW_PLACE_STATE', state) as ReviewPlaceState, roundId, roundOrdinal }],
      ];
    });
  } catch (error) {
    scope.log.warn({ err: error, agentId: agent.id }, 'the current places of review threads are unknown');
    return [];
  }
}

/** A thread's anchor as hosts get it. */
function anchorOf({ filePath, oldStart, oldEnd, newStart, newEnd }: StoredThread) {
  return {
    filePath,
    ...(oldStart == null || oldEnd == null ? {} : { oldStart, oldEnd }),
    ...(newStart == null || newEnd == null ? {} : { newStart, newEnd }),
  };
}
