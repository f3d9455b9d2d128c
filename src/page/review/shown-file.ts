import type { ReviewFile, ReviewThread } from '#page/client/agent/v1/agent_pb.js';
import type { Ranges } from './code/ranges.ts';
import type { ReviewAct } from './data.ts';

/** A thread, and its place in a diff. */
export interface PlacedThread {
  readonly thread: ReviewThread;
  readonly ranges: Ranges;
}

/** The context in which a file of a diff is rendered. */
export interface FileProps {
  readonly agentId: string;
  readonly file: ReviewFile;
  /** The threads that may be on its lines. */
  readonly threads: readonly PlacedThread[];
  /** The commits of the diff. */
  readonly baseSha: string;
  readonly snapshotSha: string;
  /** Whether old and new lines are side by side. */
  readonly isSplit: boolean;
  readonly act: ReviewAct;
}
