import { z } from 'zod';
import { message } from '#contract/message.ts';

/** What no part of a build folder's path may be, and characters that no part may have. */
const forbidden = /^(?:\.{1,2}|\.git)$/i;

/** A build folder, by name or by path from the root of the worktree. */
export const BuildFolderName = z
  .string()
  .min(1)
  .max(255)
  .refine(
    (text) => text.split('/').every((part) => part !== '' && !forbidden.test(part)) && !/[\\*?[\]\p{Cc}]/u.test(text),
    'must be a name such as node_modules, or a path from the root of the worktree such as web/dist, without .., .git and globs',
  );

const days = z.int32().min(0).max(36_500);

/** What is deleted of archived agents, and when. */
export const ArchivePolicy = message('workflow.v1.ArchivePolicy', {
  buildFolders: [
    1,
    z.array(BuildFolderName).max(50),
    'Folders that tools make again: a name such as `node_modules`, at any depth, or a path such as `web/dist`. Only what Git ignores as a whole is deleted.',
  ],
  buildFoldersAfterDays: [
    2,
    days,
    'After how many days in the archive these folders are deleted. Unset: only by clean_agents.',
  ],
  worktreesAfterDays: [
    3,
    days,
    'After how many days in the archive worktrees are removed whose work is pushed or in the base branch. Unset: only by clean_agents.',
  ],
});
export type ArchivePolicy = z.infer<typeof ArchivePolicy>;
