import { z } from 'zod';
import { BuildFolderName } from '#contract/agent/archive-policy.ts';

/** A folder of an agent, and the bytes that it takes. */
const Folder = z.object({ path: z.string().max(8_192), bytes: z.int().min(0) });

/** The calls of the registry to a host about the disk of its worktrees. */
export const roomCalls = {
  /** Measures the worktrees of agents, at low priority. What cannot be measured in time is left out. */
  measureRoom: {
    verb: 'measure-room',
    withinMs: 150_000,
    request: z.object({ agentIds: z.array(z.string()).max(20) }),
    response: z.object({ worktrees: z.array(z.object({ agentId: z.string(), bytes: z.int().min(0) })).max(20) }),
  },
  /**
   * What of an archived agent can be deleted. With `remove`, build folders are deleted, or the worktree too; the host
   * checks again that the agent is still archived right before it deletes anything.
   */
  cleanAgent: {
    verb: 'clean-agent',
    withinMs: 300_000,
    request: z.object({
      agentId: z.string(),
      buildFolders: z.array(BuildFolderName).max(50),
      remove: z.enum(['nothing', 'build-folders', 'worktree']),
    }),
    response: z.object({
      /** Whether the agent's worktree is there, after the call. */
      isThere: z.boolean(),
      buildFolders: z.array(Folder).max(1_000),
      /** The worktree, if nothing speaks against its removal, or it was removed. */
      worktree: Folder.optional(),
      /** Why what stays does, one sentence each. */
      kept: z.array(z.string().max(8_192)).max(1_000),
    }),
  },
} as const;
