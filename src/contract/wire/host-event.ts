import { z } from 'zod';

const Reading = z.object({
  state: z.enum(['AGENT_STATE_IDLE', 'AGENT_STATE_THINKING', 'AGENT_STATE_WAITING', 'AGENT_STATE_UNCERTAIN']),
  reason: z.string(),
  asked: z.string().optional(),
});

/**
 * What a host may tell the machine of its agent: what became of an effect, and what it saw. All else that moves an agent is asked
 * for by people and agents, or brought by time, and begins at the registry alone.
 */
export const HostEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('WORKTREE_READY'),
    worktree: z.object({
      repository: z.string(),
      path: z.string(),
      branch: z.string(),
      baseSha: z.string(),
      copied: z.array(z.string()),
    }),
  }),
  z.object({ type: z.literal('SETUP_DONE') }),
  z.object({ type: z.literal('WINDOW_OPENED'), paneId: z.string(), sessionId: z.string().exactOptional() }),
  z.object({ type: z.literal('BRIEFED'), reading: Reading }),
  z.object({ type: z.literal('WORKTREE_INSPECTED') }),
  z.object({ type: z.literal('PANE_CLOSED') }),
  z.object({ type: z.literal('TEARDOWN_DONE') }),
  z.object({ type: z.literal('UNSTOPPED'), reason: z.string() }),
  z.object({ type: z.literal('WORKTREE_REMOVED'), kept: z.string().exactOptional() }),
  z.object({
    type: z.literal('STEP_FAILED'),
    step: z.enum([
      'provisioning',
      'preparing',
      'opening',
      'briefing',
      'inspecting',
      'closing',
      'tearing down',
      'removing',
    ]),
    reason: z.string(),
  }),
  z.object({ type: z.literal('READING'), reading: Reading }),
  z.object({
    type: z.literal('REPORTED'),
    report: z.object({ reason: z.string(), at: z.number() }),
  }),
  z.object({
    type: z.literal('CHECKOUT_READ'),
    checkout: z.object({
      branch: z.string().exactOptional(),
      headSha: z.string().exactOptional(),
      repositoryUrl: z.string().exactOptional(),
      sequenceInProgress: z.boolean().exactOptional(),
    }),
    worktreeGone: z.boolean(),
  }),
  z.object({ type: z.literal('DOUBTED'), reason: z.string() }),
  z.object({ type: z.literal('PANE_GONE'), reason: z.string(), briefed: z.boolean() }),
]);
export type HostEvent = z.infer<typeof HostEvent>;

/** The types of what a host may tell. */
export const hostEventTypes: readonly string[] = HostEvent.options.map(({ shape }) => shape.type.value);
