import { z } from 'zod';
import { int64, message } from '#contract/message.ts';

/** A folder that was deleted, or would be. */
const FreedFolder = message('agent.v1.FreedFolder', {
  path: [1, z.string(), 'Its path: of a build folder, from the root of the worktree; of a worktree, absolute.'],
  bytes: [2, int64(), 'How much space it took. What other files share is not counted.'],
  worktree: [3, z.boolean(), 'Whether it is the whole worktree.'],
});

/** What cleaning an archived agent deleted and what it kept. */
export const CleanedAgent = message('agent.v1.CleanedAgent', {
  agentId: [1, z.string(), 'The id of the agent, as in every other call.'],
  name: [2, z.string(), 'What people call it.'],
  freed: [3, z.array(FreedFolder), 'What was deleted, or with `dryRun` would be.'],
  kept: [4, z.array(z.string()), 'Why each other folder stays, one sentence each. Empty: nothing is left.'],
});
export type CleanedAgent = z.infer<typeof CleanedAgent>;
