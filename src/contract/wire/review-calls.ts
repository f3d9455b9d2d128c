import { z } from 'zod';
import { ReviewTreeStanding } from '#contract/review/review-thread.ts';

/** How long a host may take to read all files of a large checkout and its git objects, in milliseconds. */
const [walkMs, readMs] = [150_000, 60_000];

/** A commit's full name. */
const Sha = z.string().regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/, 'a commit is named by its 40 or 64 hexadecimal digits');

/** A path relative to the checkout, printable: bytes that are not UTF-8 are replaced. */
const FilePath = z.string().min(1).max(4_096);

/** Ranges of lines, counting from one, with inclusive ends. A side without a range has neither number. */
const Ranges = {
  oldStart: z.int().optional(),
  oldEnd: z.int().optional(),
  newStart: z.int().optional(),
  newEnd: z.int().optional(),
} as const;

/** The two commits of a round, fixed when it was cut. */
const RoundCommits = z.object({ baseSha: Sha, snapshotSha: Sha });

/** A file that a snapshot does not contain as it is in the worktree. */
export const LeftOut = z.object({
  path: z.string(),
  /**
   * `large`: over the limit of one file; `budget`: over the limit of a round, which is filled in the order of paths;
   * `repository`: a nested git repository, with its own files; `submodule`: only its commit is recorded; `unreadable`:
   * git could not read it.
   */
  reason: z.enum(['large', 'budget', 'repository', 'submodule', 'unreadable']),
  bytes: z.int().optional(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** One file of a diff. `patch` is a unified diff without the file header. */
export const FileDiff = z.object({
  path: z.string(),
  /** Its path before; unset if it is the same. */
  oldPath: z.string().optional(),
  change: z.enum(['added', 'deleted', 'modified', 'renamed', 'type-changed']),
  /** Its git modes, in octal; unset on a side where it does not exist. */
  oldMode: z.string().optional(),
  newMode: z.string().optional(),
  oldBytes: z.int().optional(),
  newBytes: z.int().optional(),
  /** Numbers of lines; unset for a binary file, or one that is too large to show. */
  added: z.int().optional(),
  deleted: z.int().optional(),
  /** Why there is no patch. */
  omitted: z.enum(['binary', 'large']).optional(),
  patch: z.string(),
  /** Whether the patch begins or continues on another page. */
  partial: z.boolean(),
});
export type FileDiff = z.infer<typeof FileDiff>;

/** Where the lines of a thread are in a later round. */
export const Placement = z.object({
  /**
   * `still`: in the same place; `moved`: the same lines elsewhere; `changed`: other lines are there; `gone`: the file
   * is gone.
   */
  state: z.enum(['still', 'moved', 'changed', 'gone']),
  /** The file that the lines are in now; unset if it is gone. */
  filePath: z.string().optional(),
  /** Where the lines are now; unset if they changed or are gone. */
  ...Ranges,
});
export type Placement = z.infer<typeof Placement>;

/** What the host requests its permit with, right before it changes anything. */
const ticket = z.string();

/** The calls of the registry to a host for reviews. `withinMs` is how long the answer may take. */
export const reviewCalls = {
  /**
   * Snapshots an agent's worktree, with uncommitted and untracked files, as a commit under `roundRef`. Index, HEAD and
   * files do not change. The base is the newest commit that the work shares with the base branch. A repeat with the
   * same reference makes a new snapshot, and keeps the earlier one. `failed_precondition` if the agent has no checkout,
   * if a merge or rebase is in progress and `settled` is set, or if `base` names nothing.
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
      /** Whether to refuse while a merge, rebase or cherry-pick is in progress: for rounds that nobody requested. */
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
  /** Removes references of rounds, so that git can collect their snapshots. Missing ones are ignored. */
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
   * The tree that a snapshot of the worktree would have now; nothing is stored. Two worktrees with the same tree have
   * the same files, modes and contents, except for ignored files.
   */
  treeOf: {
    verb: 'treeOf',
    withinMs: walkMs,
    request: z.object({ agentId: z.string() }),
    response: z.object({ treeSha: z.string(), headSha: z.string().optional() }),
  },
  /** The diff of two commits, in pages of whole files up to `pageBytes` of patch. A longer file comes in parts. */
  reviewDiff: {
    verb: 'reviewDiff',
    withinMs: readMs,
    request: z.object({
      agentId: z.string(),
      fromSha: Sha,
      toSha: Sha,
      /** Only this file, by its new or old path. `not_found` if the diff does not touch it. */
      path: FilePath.optional(),
      /** The last answer's `nextCursor`; unset for the first page. */
      cursor: z.string().max(100).optional(),
      /** Bytes of patch in one answer. Default 256 KiB. */
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
  /** Lines of a file in a commit. `not_found` if there is no such file, `failed_precondition` if it is binary. */
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
  /** Whether a thread's place is in the diff and has the quoted lines; if not, why, and what is there. */
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
      /** Whether lines are proposed for the new range, which must then be set. */
      hasSuggestion: z.boolean().optional(),
    }),
    response: z.object({
      ok: z.boolean(),
      /**
       * `range`: the numbers contradict each other; `file`: the diff does not touch the file; `binary`: it has no
       * lines; `outside`: the range is past the file's end or beyond the lines of the diff; `mismatch`: other lines are
       * there.
       */
      reason: z.enum(['range', 'file', 'binary', 'outside', 'mismatch']).optional(),
      /** What is wrong, which value, and what to do; empty if nothing is. */
      message: z.string(),
      /** The lines that are in the ranges, with markers, at most 200. */
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
      /** The base that the rounds were cut with. */
      base: z.string().optional(),
      rounds: z.array(RoundCommits).max(100),
    }),
    response: z.object({
      /** The worktree's tree, as `treeOf` returns it. */
      treeSha: z.string(),
      /**
       * The tips of the base branch, local and remote, that this was measured against. Once they move, it is outdated.
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
   * Replaces lines of a file in the worktree by a suggestion for lines of a snapshot, if those lines are unchanged,
   * perhaps elsewhere. `failed_precondition` if they changed, naming what is there, or if the file is not a regular
   * file of the worktree.
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
    /** The changed file, and the lines of the suggestion in it. */
    response: z.object({ filePath: z.string(), start: z.int(), end: z.int() }),
  },
} as const;
