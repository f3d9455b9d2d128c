import { z } from 'zod';

const NamedPaths = z.object({ count: z.int(), names: z.array(z.string()).max(3) });

/** A path that is not copied with a checkout's changes. */
const NotCopied = z.object({
  /** Relative to the checkout, printable. A folder ends in a slash. */
  path: z.string(),
  /** `large`: too much to copy; `repository`: a git repository of its own; `unreadable`: muster may not read it. */
  reason: z.enum(['large', 'repository', 'unreadable']),
  /** Its size, as far as it could be counted in time. */
  bytes: z.int().optional(),
});
export type NotCopied = z.infer<typeof NotCopied>;

/** What a new worktree lacks compared with the checkout of a directory. */
export const LeftBehind = z.object({
  changed: NamedPaths,
  untracked: NamedPaths,
  ignored: NamedPaths,
  submodules: NamedPaths,
  /** In a launch with changes: the largest paths that are not copied, the largest first, and how many there are. */
  notCopied: z.array(NotCopied).max(10).optional(),
  notCopiedCount: z.int().optional(),
});
export type LeftBehind = z.infer<typeof LeftBehind>;
