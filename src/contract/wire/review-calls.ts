import { z } from 'zod';
import { ReviewTreeStanding } from '#contract/review/review-thread.ts';

/** How long a host may take to read all files of a large checkout and its git objects, in milliseconds. */
const [walkMs, readMs] = [150_000, 60_000];

/** A commit's name in full. */
const Sha = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'a commit is named by its 40 or 64 hexadecimal digits');

/** A file relative to the checkout, as it is shown: bytes that are no UTF-8 are replaced. */
const FilePath = z.string().min(1).max(4_096);

/** Lines counting from one, the end inclusive; a side that has no range has neither number. */
const Ranges = {
  oldStart: z.int().optional(),
  oldEnd: z.int().optional(),
  newStart: z.int().optional(),
  newEnd: z.int().optional(),
} as const;

/** The two commits of a round that were pinned when it was cut. */
const RoundCommits = z.object({ baseSha: Sha, snapshotSha: Sha });

/** A file that a snapshot does not hold as it is in the worktree. */
export const LeftOut = z.object({
  path: z.string(),
  /**
   * `large`: over the limit of one file; `budget`: over what a round holds in all, which is filled in the order of
   * paths; `repository`: a git repository within, whose files are its own; `submodule`: only the commit that it is at
   * is recorded; `unreadable`: git could not read it.
   */
  reason: z.enum(['large', 'budget', 'repository', 'submodule', 'unreadable']),
  bytes: z.int().optional(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** One file of a diff. `patch` is unified, without its own head; it is cut if `partial`. */
export const FileDiff = z.object({
  path: z.string(),
  /** Where it was before; unset if it has the same path. */
  oldPath: z.string().optional(),
  change: z.enum(['added', 'deleted', 'modified', 'renamed', 'type-changed']),
  /** Of git, in octal; unset on the side that it is not on. */
  oldMode: z.string().optional(),
  newMode: z.string().optional(),
  oldBytes: z.int().optional(),
  newBytes: z.int().optional(),
  /** Lines; unset for a binary file and one that is too large to be shown. */
  added: z.int().optional(),
  deleted: z.int().optional(),
  /** Why there is no patch: only names and sizes are given. */
  omitted: z.enum(['binary', 'large']).optional(),
  patch: z.string(),
  /** Whether the patch begins or goes on on another page. */
  partial: z.boolean(),
});
export type FileDiff = z.infer<typeof FileDiff>;

/** Where the lines of a thread are in a later round. */
export const Placement = z.object({
  /**
   * `still`: as it was; `moved`: the same lines elsewhere; `changed`: other lines are there; `gone`: the file is gone.
   */
  state: z.enum(['still', 'moved', 'changed', 'gone']),
  /** The file that it is in now; unset if it is gone. */
  filePath: z.string().optional(),
  /** Where the lines are now; unset if they changed or are gone. */
  ...Ranges,
});
export type Placement = z.infer<typeof Placement>;

/** What the permit of what changes something is asked for with, right before anything is changed. */
const ticket = z.string();

/** What the registry asks of a host for reviews. Each says in `withinMs` how long its answer may take. */
export const reviewCalls = {
  /**
   * Snapshots an agent's worktree, uncommitted and untracked work included, as a commit under `roundRef`; index, HEAD
   * and files stay as they are. The base is the newest commit that the work shares with the base branch. Asked again
   * with the same reference it cuts again, and keeps what the reference held before. `failed_precondition` if the agent
   * has no checkout, a merge or rebase is part-way through and `settled` is wanted, or `base` names nothing.
   */
  cutRound: {
    verb: 'cutRound',
    withinMs: walkMs,
    request: z.object({
      ticket,
      agentId: z.string(),
      /** A branch, tag or commit; unset: the base branch of the agent's workflow, or else of the repository. */
      base: z.string().optional(),
      /** `refs/muster/rounds/<agent>/<n>`. */
      roundRef: z.string().regex(/^refs\/muster\/rounds\/[A-Za-z0-9_-]+\/[A-Za-z0-9_-]+$/),
      /**
       * Whether to refuse while a merge, rebase or cherry-pick is part-way through: for rounds that nobody asked for.
       */
      settled: z.boolean().optional(),
    }),
    response: z.object({
      snapshotSha: z.string(),
      baseSha: z.string(),
      treeSha: z.string(),
      leftOut: z.array(LeftOut),
      /** How many were left out; `leftOut` names the first 1,000. */
      leftOutCount: z.int(),
      /** How many files differ between base and snapshot. */
      changedFiles: z.int(),
    }),
  },
  /** Removes references of rounds, which lets git collect their snapshots in time. Those that are gone are fine. */
  dropRounds: {
    verb: 'dropRounds',
    withinMs: readMs,
    request: z.object({
      ticket,
      agentId: z.string(),
      roundRefs: z.array(z.string().regex(/^refs\/muster\/rounds\/[A-Za-z0-9_-]+\/[A-Za-z0-9_-]+$/)).max(10_000),
    }),
    response: z.object({}),
  },
  /**
   * The tree that a snapshot of the worktree would have now; nothing is stored. Two worktrees with one tree have the
   * same files, modes and contents, ignored files aside.
   */
  treeOf: {
    verb: 'treeOf',
    withinMs: walkMs,
    request: z.object({ agentId: z.string() }),
    response: z.object({ treeSha: z.string(), headSha: z.string().optional() }),
  },
  /**
   * What differs between two commits, in pages: whole files until `pageBytes` of patch are full, a longer one in parts.
   */
  reviewDiff: {
    verb: 'reviewDiff',
    withinMs: readMs,
    request: z.object({
      agentId: z.string(),
      fromSha: Sha,
      toSha: Sha,
      /** One file alone, by its new path or its old one. `not_found` if the diff does not touch it. */
      path: FilePath.optional(),
      /** The last answer's `nextCursor`; blank asks for the first page. */
      cursor: z.string().max(100).optional(),
      /** Of patch in one answer. Default 256 KiB. */
      pageBytes: z.int().min(1_024).max(2_097_152).optional(),
      /** Lines shown around each change. Default 3. */
      context: z.int().min(0).max(1_000).optional(),
    }),
    response: z.object({
      files: z.array(FileDiff),
      /** Unset on the last page. */
      nextCursor: z.string().optional(),
      /** Of the whole diff, or of the one file. */
      totalFiles: z.int(),
    }),
  },
  /**
   * Lines of a file as a commit holds it. `not_found` if it has no such file, `failed_precondition` for a binary one.
   */
  fileLines: {
    verb: 'fileLines',
    withinMs: readMs,
    request: z.object({
      agentId: z.string(),
      sha: Sha,
      path: FilePath,
      /** Counting from one, the end inclusive. An end past the last line means the last line. At most 2,000 lines. */
      start: z.int().min(1),
      end: z.int().min(1),
    }),
    response: z.object({ lines: z.array(z.string()), totalLines: z.int() }),
  },
  /** Whether a thread's place is in the diff and its quoted lines are there; if not, why, and what really is there. */
  anchorThread: {
    verb: 'anchorThread',
    withinMs: readMs,
    request: z.object({
      agentId: z.string(),
      baseSha: Sha,
      snapshotSha: Sha,
      filePath: FilePath,
      ...Ranges,
      /** Each with its marker: a blank, `-` or `+`. */
      quotedLines: z.array(z.string()).max(10_000),
      /** Whether lines are proposed for the new range, which must then be there. */
      hasSuggestion: z.boolean().optional(),
    }),
    response: z.object({
      ok: z.boolean(),
      /**
       * `range`: the numbers contradict themselves; `file`: the diff does not touch it; `binary`: it has no lines;
       * `outside`: the range is past the file's end or beyond what the diff shows; `mismatch`: other lines are there.
       */
      reason: z.enum(['range', 'file', 'binary', 'outside', 'mismatch']).optional(),
      /** What is wrong, which value, what to do; blank if it is fine. */
      message: z.string(),
      /** What really is in the ranges, with markers, at most 200 lines. */
      stands: z.array(z.string()),
    }),
  },
  /** Where threads of one round are in another one. The answers are in the order of the anchors. */
  carryThreads: {
    verb: 'carryThreads',
    withinMs: readMs,
    request: z.object({
      agentId: z.string(),
      /** The commits that the threads' line numbers were read against. */
      from: RoundCommits,
      to: RoundCommits,
      anchors: z.array(z.object({ filePath: FilePath, ...Ranges })).max(2_000),
    }),
    response: z.object({ placements: z.array(Placement) }),
  },
  /** The current review status of the worktree against rounds. */
  standing: {
    verb: 'standing',
    withinMs: walkMs,
    request: z.object({
      agentId: z.string(),
      /** As the rounds were cut with. */
      base: z.string().optional(),
      rounds: z.array(RoundCommits).max(100),
    }),
    response: z.object({
      /** The worktree's tree, as `treeOf` returns it. */
      treeSha: z.string(),
      /**
       * The tips of the base branch that were looked at, here and on the remote: a standing is out of date once they
       * moved.
       */
      baseTips: z.array(z.string()),
      standings: z.array(
        z.object({
          snapshotSha: z.string(),
          standing: ReviewTreeStanding,
          /** Whether the worktree no longer hashes to the round's snapshot. */
          moved: z.boolean(),
        }),
      ),
    }),
  },
  /**
   * Replaces lines of a file in the worktree by a suggestion for lines of a snapshot, if those lines still stand, also
   * where they moved to. `failed_precondition` if they changed, saying what is there, or the file is not a regular file
   * of the worktree.
   */
  applySuggestion: {
    verb: 'applySuggestion',
    withinMs: walkMs,
    request: z.object({
      ticket,
      agentId: z.string(),
      snapshotSha: Sha,
      filePath: FilePath,
      newStart: z.int().min(1),
      newEnd: z.int().min(1),
      suggestion: z.array(z.string()).min(1).max(10_000),
    }),
    /** The file that was changed, and the lines that the suggestion takes up in it now. */
    response: z.object({ filePath: z.string(), start: z.int(), end: z.int() }),
  },
} as const;
