import type { ReviewFile, ReviewThread } from '#page/client/agent/v1/agent_pb.js';
import type { Ranges } from './code/ranges.ts';
import type { ReviewAct } from './data.ts';

/** Where a thread is shown in a diff. */
export interface PlacedThread {
  readonly thread: ReviewThread;
  readonly ranges: Ranges;
}

/** What a file of a diff is shown with. */
export interface FileProps {
  readonly agentId: string;
  readonly file: ReviewFile;
  /** Threads whose lines may be in it. */
  readonly threads: readonly PlacedThread[];
  /** The commits that the diff is of. */
  readonly baseSha: string;
  readonly snapshotSha: string;
  /** Whether what was removed is next to what came in its place. */
  readonly isSplit: boolean;
  readonly act: ReviewAct;
}
