import { Failure } from '#contract/failure.ts';
import { GitError } from '#world/git/repository/git-error.ts';

/** Explains why git made no worktree at a path; an error that needs no explanation is returned as it is. */
export function explainedFault(error: unknown, path: string): unknown {
  if (error instanceof Failure && !(error instanceof GitError && error.trouble === 'exit')) return error;
  const said = error instanceof GitError ? error.stderrTail : String(error);
  const [reason, advice] = causes.find(([pattern]) => pattern.test(said))?.[1] ?? [];
  if (reason === undefined) return error;
  return new Failure(reason, `no worktree could be created at ${path}: ${advice} (${said})`, { cause: error });
}

const causes: readonly (readonly [
  RegExp,
  readonly ['WORKTREE_DISK_FULL' | 'BRANCH_EXISTS' | 'WORKTREE_NOT_MADE', string],
])[] = [
  [/No space left on device|Disk quota exceeded|ENOSPC|EDQUOT/i, ['WORKTREE_DISK_FULL', 'the disk is full']],
  [/is already (checked out|used by worktree)/, ['BRANCH_EXISTS', 'the branch is checked out elsewhere']],
  [
    /Permission denied|could not create leading directories|EACCES|EROFS|EEXIST|ENOTDIR/i,
    ['WORKTREE_NOT_MADE', 'the folder cannot be written'],
  ],
  [
    /unable to read (sha1 file|tree)|missing (blob|tree)|not a valid object|bad object|promisor/i,
    ['WORKTREE_NOT_MADE', 'objects are missing here: a partial clone must fetch them first'],
  ],
];
