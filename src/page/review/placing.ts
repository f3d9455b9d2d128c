import { ReviewPlaceState, type ReviewRound, type ReviewThread } from '#page/client/agent/v1/agent_pb.js';
import type { Ranges } from './code/ranges.ts';
import type { PlacedThread } from './shown-file.ts';

/** The shown diff: its round and its base commit. */
export interface DiffVersion {
  readonly round: ReviewRound;
  readonly baseSha: string;
}

const noLines: Ranges = { oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 0 };

/** Groups threads by the path of the file in which they are shown. */
export function placedIn(
  { round, baseSha }: DiffVersion,
  threads: readonly ReviewThread[],
): Map<string, PlacedThread[]> {
  const placed = new Map<string, PlacedThread[]>();
  for (const thread of threads) {
    const at = placeOf(thread, round, baseSha);
    if (at === undefined) continue;
    placed.set(at.filePath, [...(placed.get(at.filePath) ?? []), { thread, ranges: at.ranges }]);
  }
  return placed;
}

interface DiffPlace {
  readonly filePath: string;
  readonly ranges: Ranges;
}

/**
 * The place of a thread in a round: its own lines in its own round, its current lines in the newest round; undefined in
 * other rounds.
 */
function placeOf(thread: ReviewThread, round: ReviewRound, baseSha: string): DiffPlace | undefined {
  const { filePath, place } = thread;
  if (thread.roundId === round.id) {
    const isOwnBase = thread.baseSha === baseSha || thread.baseSha === '';
    const { oldStart, oldEnd, newStart, newEnd } = thread;
    return { filePath, ranges: isOwnBase ? { oldStart, oldEnd, newStart, newEnd } : { ...noLines, newStart, newEnd } };
  }
  if (place?.roundId !== round.id) return undefined;
  const isPlaced = place.state === ReviewPlaceState.STILL || place.state === ReviewPlaceState.MOVED;
  const { oldStart, oldEnd, newStart, newEnd } = place;
  return { filePath: place.filePath || filePath, ranges: isPlaced ? { oldStart, oldEnd, newStart, newEnd } : noLines };
}
