import { z } from 'zod';
import { enumeration, int64, message } from './message.ts';

/** Why a snapshot does not hold a file as it is in the worktree. */
const ReviewLeftOutReason = enumeration('agent.v1.ReviewLeftOutReason', [
  'REVIEW_LEFT_OUT_REASON_UNSPECIFIED',
  /** It is over the limit of one file. */
  'REVIEW_LEFT_OUT_REASON_LARGE',
  /** It is over what a round holds in all. */
  'REVIEW_LEFT_OUT_REASON_BUDGET',
  /** It is a git repository within, whose files are its own. */
  'REVIEW_LEFT_OUT_REASON_REPOSITORY',
  /** It is a submodule, of which only the commit is recorded. */
  'REVIEW_LEFT_OUT_REASON_SUBMODULE',
  'REVIEW_LEFT_OUT_REASON_UNREADABLE',
]);

const ReviewLeftOut = message('agent.v1.ReviewLeftOut', {
  path: [1, z.string()],
  reason: [2, ReviewLeftOutReason],
  bytes: [3, int64()],
});

/** A snapshot of an agent's work, uncommitted work included, that comments are pinned to. */
export const ReviewRound = message('agent.v1.ReviewRound', {
  id: [1, z.string()],
  agentId: [2, z.string()],
  /** Counting from one. */
  ordinal: [3, z.int32()],
  baseSha: [4, z.string()],
  snapshotSha: [5, z.string()],
  /** Unset for one that a person cut. */
  startedByAgentId: [6, z.string()],
  createdAt: [7, z.string()],
  /** How many files differ between base and snapshot. */
  changedFiles: [8, z.int32()],
  /** Files that the snapshot does not hold, the first 1,000 of them, and how many there are. */
  leftOut: [9, z.array(ReviewLeftOut)],
  leftOutCount: [10, z.int32()],
});
export type ReviewRound = z.infer<typeof ReviewRound>;

/** What happened to a file. */
const ReviewFileChange = enumeration('agent.v1.ReviewFileChange', [
  'REVIEW_FILE_CHANGE_UNSPECIFIED',
  'REVIEW_FILE_CHANGE_ADDED',
  'REVIEW_FILE_CHANGE_DELETED',
  'REVIEW_FILE_CHANGE_MODIFIED',
  'REVIEW_FILE_CHANGE_RENAMED',
  'REVIEW_FILE_CHANGE_TYPE_CHANGED',
]);

/** Why a file's lines are not shown. */
const ReviewFileOmission = enumeration('agent.v1.ReviewFileOmission', [
  'REVIEW_FILE_OMISSION_UNSPECIFIED',
  'REVIEW_FILE_OMISSION_BINARY',
  'REVIEW_FILE_OMISSION_LARGE',
]);

/** One file of a diff. */
export const ReviewFile = message('agent.v1.ReviewFile', {
  path: [1, z.string()],
  /** Where it was before; unset where it has the same path. */
  oldPath: [2, z.string()],
  change: [3, ReviewFileChange],
  /** Git's modes, in octal. */
  oldMode: [4, z.string()],
  newMode: [5, z.string()],
  oldBytes: [6, int64()],
  newBytes: [7, int64()],
  /** Lines. */
  added: [8, z.int32()],
  deleted: [9, z.int32()],
  omitted: [10, ReviewFileOmission],
  /** Unified, without a head of its own. */
  patch: [11, z.string()],
  /** Whether the patch begins or goes on on another page. */
  partial: [12, z.boolean()],
});
export type ReviewFile = z.infer<typeof ReviewFile>;
