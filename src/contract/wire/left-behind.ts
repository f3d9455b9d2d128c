import { z } from 'zod';

const NamedPaths = z.object({ count: z.int(), names: z.array(z.string()).max(3) });

/** What is not brought along with a checkout's changes. */
const NotCopied = z.object({
  /** Relative to the checkout, as it is shown; a folder ends in a slash. */
  path: z.string(),
  /** `large`: too much to copy; `repository`: a git repository of its own; `unreadable`: muster may not read it. */
  reason: z.enum(['large', 'repository', 'unreadable']),
  /** As far as they were counted in time. */
  bytes: z.int().optional(),
});
export type NotCopied = z.infer<typeof NotCopied>;

/** What of a directory's checkout a new worktree lacks. */
export const LeftBehind = z.object({
  changed: NamedPaths,
  untracked: NamedPaths,
  ignored: NamedPaths,
  submodules: NamedPaths,
  /** Of a launch with the changes: the first of what stays behind all the same, the largest first, and how many there are. */
  notCopied: z.array(NotCopied).max(10).optional(),
  notCopiedCount: z.int().optional(),
});
export type LeftBehind = z.infer<typeof LeftBehind>;
