import { z } from 'zod';

const NamedPaths = z.object({ count: z.int(), names: z.array(z.string()).max(3) });

/** What of a directory's checkout a new worktree lacks. */
export const LeftBehind = z.object({
  changed: NamedPaths,
  untracked: NamedPaths,
  ignored: NamedPaths,
  submodules: NamedPaths,
});
