import { z } from 'zod';

const Sha = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const Branch = z.string().min(1).max(1_024);

/** The moved work of a worktree, by the names of its objects. */
export const CarriedWork = z.strictObject({
  /** The commit that contains everything else. */
  commit: Sha,
  /** The commit that is checked out, and its branch; unset on a detached HEAD. */
  headSha: Sha,
  headBranch: Branch.optional(),
  /** The branch that was made for the agent, the commit that it was made from, and its tip. */
  madeBranch: Branch,
  baseSha: Sha,
  branchSha: Sha.optional(),
  /** All files of the worktree except ignored ones. */
  treeSha: Sha,
  /** The staged tree; unset if it equals the commit's. */
  stagedTree: Sha.optional(),
  /** The snapshots of its reviews, by the last part of their references. */
  rounds: z.array(z.strictObject({ name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), sha: Sha })).max(10_000),
  /** The branch that new work starts from, for a host that has no such repository yet. */
  main: z.strictObject({ branch: Branch, sha: Sha }).optional(),
  /** The URL that the repository was cloned from, for the same. */
  origin: z.string().max(4_096).optional(),
});
export type CarriedWork = z.infer<typeof CarriedWork>;
