import type { ReasonMeaning } from './reason-meaning.ts';

/** Why something cannot be done with a review or a repository on disk. */
export const reviewReasons = {
  REVIEW_NOT_FOUND: { code: 'not_found', meaning: 'The caller has no such review.' },
  REVIEW_THREAD_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no such review thread that the caller may see.',
    metadata: { threadId: 'The id.' },
  },
  REVIEW_MESSAGE_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no such comment.',
    metadata: { messageId: 'The id.' },
  },
  REVIEW_ROUND_NOT_FOUND: { code: 'not_found', meaning: 'The agent has no such review round.' },
  NO_REVIEW_ROUND: { code: 'failed_precondition', meaning: 'The agent has no review round yet.' },
  NOTHING_TO_REVIEW: {
    code: 'failed_precondition',
    meaning: 'The work differs neither from its base nor from the previous round.',
  },
  NO_WORKTREE_YET: { code: 'failed_precondition', meaning: "The agent's worktree does not exist yet." },
  REVIEW_EMPTY: {
    code: 'failed_precondition',
    meaning: 'Only an approval may be released without any comment or summary.',
  },
  REVIEW_FULL: { code: 'resource_exhausted', meaning: 'The review has reached its limit of comments: release it.' },
  REVIEW_RELEASED: { code: 'failed_precondition', meaning: 'The review is released and cannot change.' },
  REVIEW_NOT_RELEASED: { code: 'failed_precondition', meaning: 'The review is not released yet.' },
  REVIEW_NOT_DELIVERABLE: { code: 'failed_precondition', meaning: 'The agent under review cannot receive it.' },
  SUGGESTION_NOT_APPLICABLE: {
    code: 'failed_precondition',
    meaning: 'The suggestion cannot be applied to the file as it is.',
  },
  INVALID_RANGE: { code: 'invalid_argument', meaning: 'The lines are not a range of the file.' },
  NOT_A_REPOSITORY: { code: 'failed_precondition', meaning: 'The directory is not in a git repository.' },
  REPOSITORY_EMPTY: { code: 'failed_precondition', meaning: 'The repository has no commit yet.' },
  REPOSITORY_UNREADABLE: {
    code: 'failed_precondition',
    meaning: 'git cannot read part of the repository or its configuration.',
  },
  COMMIT_NOT_FOUND: { code: 'failed_precondition', meaning: 'The repository has no such commit.' },
  GIT_OPERATION_UNDER_WAY: {
    code: 'failed_precondition',
    meaning: 'A merge, rebase or cherry-pick is in progress.',
  },
  GIT_LOCKED: { code: 'unavailable', meaning: 'Another git process holds a lock.' },
  GIT_FAILED: { code: 'internal', meaning: 'A git command failed.' },
  GIT_NOT_STARTED: { code: 'failed_precondition', meaning: 'git could not be started.' },
  GIT_OUTPUT_TOO_LARGE: { code: 'resource_exhausted', meaning: 'A git command wrote more than muster reads.' },
  GIT_TIMED_OUT: { code: 'deadline_exceeded', meaning: 'A git command took too long and was ended.' },
  GIT_CANCELLED: { code: 'canceled', meaning: 'A git command was ended because its caller stopped waiting.' },
  FILE_CHANGED: { code: 'aborted', meaning: 'A file or the checkout changed meanwhile: try again.' },
  FILE_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no such file.',
    metadata: { path: 'The path that was asked for.' },
  },
  FILE_NOT_SHOWN: { code: 'failed_precondition', meaning: 'The file is binary or too large to be shown.' },
  INVALID_BRANCH_NAME: { code: 'invalid_argument', meaning: 'The text is not a valid branch name.' },
  BRANCH_EXISTS: { code: 'already_exists', meaning: 'The branch already exists and cannot be used.' },
  WORKTREE_PATH_TAKEN: { code: 'already_exists', meaning: "Something else is at the worktree's path." },
  WORKTREE_NOT_MADE: {
    code: 'failed_precondition',
    meaning: 'The worktree could not be created: the folder is not writable, or objects are missing.',
  },
  WORKTREE_DISK_FULL: { code: 'resource_exhausted', meaning: 'The worktree could not be created: the disk is full.' },
} as const satisfies Readonly<Record<string, ReasonMeaning>>;
