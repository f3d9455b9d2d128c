import { z } from 'zod';
import { enumeration, int64, message } from '#contract/message.ts';

/** Why a snapshot does not contain a file as it is in the worktree. */
const ReviewLeftOutReason = enumeration('agent.v1.ReviewLeftOutReason', {
  REVIEW_LEFT_OUT_REASON_UNSPECIFIED: 'No reason; never sent.',
  REVIEW_LEFT_OUT_REASON_LARGE: 'It is larger than the limit for one file.',
  REVIEW_LEFT_OUT_REASON_BUDGET: 'The round has reached its limit for all files.',
  REVIEW_LEFT_OUT_REASON_REPOSITORY: 'It is a Git repository of its own.',
  REVIEW_LEFT_OUT_REASON_SUBMODULE: 'It is a submodule, of which only the commit is recorded.',
  REVIEW_LEFT_OUT_REASON_UNREADABLE: 'It could not be read.',
});

const ReviewLeftOut = message('agent.v1.ReviewLeftOut', {
  path: [1, z.string(), 'File, relative to the checkout.'],
  reason: [2, ReviewLeftOutReason, 'Why the snapshot does not contain it.'],
  bytes: [3, int64(), 'Its size, in bytes.'],
});

/** A snapshot of an agent's work, with uncommitted files, to which comments are pinned. */
export const ReviewRound = message('agent.v1.ReviewRound', {
  id: [1, z.string(), 'The id of the round in other calls: `rnd_` and a ULID.'],
  agentId: [2, z.string(), 'The agent whose work it is.'],
  ordinal: [3, z.int32(), 'The number of the round of that agent, counting from one.'],
  baseSha: [4, z.string(), 'The commit that the work is compared with.'],
  snapshotSha: [5, z.string(), 'The commit that contains the work, with uncommitted files.'],
  startedByAgentId: [6, z.string(), 'The agent that started it. Unset if a person did.'],
  createdAt: [7, z.string(), 'When the snapshot was made: RFC 3339, UTC.'],
  changedFiles: [8, z.int32(), 'How many files differ between base and snapshot.'],
  leftOut: [9, z.array(ReviewLeftOut), 'Files that the snapshot does not contain, at most the first 1,000.'],
  leftOutCount: [10, z.int32(), 'How many files the snapshot does not contain in all.'],
});
export type ReviewRound = z.infer<typeof ReviewRound>;

/** What happened to a file. */
const ReviewFileChange = enumeration('agent.v1.ReviewFileChange', {
  REVIEW_FILE_CHANGE_UNSPECIFIED: 'No change; never sent.',
  REVIEW_FILE_CHANGE_ADDED: 'The file is new.',
  REVIEW_FILE_CHANGE_DELETED: 'The file is gone.',
  REVIEW_FILE_CHANGE_MODIFIED: 'Its content or its mode differs.',
  REVIEW_FILE_CHANGE_RENAMED: 'It has another path, and perhaps other content.',
  REVIEW_FILE_CHANGE_TYPE_CHANGED: 'It is now another kind of file, such as a symbolic link.',
});

/** Why a file's lines are not shown. */
const ReviewFileOmission = enumeration('agent.v1.ReviewFileOmission', {
  REVIEW_FILE_OMISSION_UNSPECIFIED: 'Nothing is left out.',
  REVIEW_FILE_OMISSION_BINARY: 'The file is not text.',
  REVIEW_FILE_OMISSION_LARGE: 'The file or its patch is too large to show.',
});

/** One file of a diff. */
export const ReviewFile = message('agent.v1.ReviewFile', {
  path: [1, z.string(), 'File, relative to the checkout.'],
  oldPath: [2, z.string(), 'Its path before it was renamed. Unset if it was not.'],
  change: [3, ReviewFileChange, 'What happened to it.'],
  oldMode: [4, z.string(), 'Its Git mode before, in octal, such as `100644`.'],
  newMode: [5, z.string(), 'Its Git mode after, in octal.'],
  oldBytes: [6, int64(), 'Its size before, in bytes.'],
  newBytes: [7, int64(), 'Its size after, in bytes.'],
  added: [8, z.int32(), 'How many lines were added.'],
  deleted: [9, z.int32(), 'How many lines were deleted.'],
  omitted: [10, ReviewFileOmission, 'Why its lines are not shown. Unset if they are.'],
  patch: [11, z.string(), 'Its unified diff, without the file header.'],
  partial: [12, z.boolean(), 'Whether the patch begins or continues on another page.'],
});
export type ReviewFile = z.infer<typeof ReviewFile>;
