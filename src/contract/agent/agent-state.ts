import type { z } from 'zod';
import { enumeration } from '#contract/message.ts';

/** What the service last decided an agent was doing. */
export const AgentState = enumeration('agent.v1.AgentState', {
  AGENT_STATE_UNSPECIFIED: 'No state; never sent.',
  AGENT_STATE_IDLE: 'Its pane is at rest, with nothing typed.',
  AGENT_STATE_THINKING: 'Its CLI is working on a turn.',
  AGENT_STATE_WAITING: 'Its CLI waits for a person to answer a question.',
  AGENT_STATE_SETTING_UP: 'It is being launched and has no pane to read yet.',
  AGENT_STATE_FAILED_TO_CREATE: 'Its launch failed. `stateReason` says why, and retry_agent continues it.',
  AGENT_STATE_FAILED_TO_CLEANUP: 'Its deletion failed to remove the worktree. `stateReason` says what prevents it.',
  AGENT_STATE_UNCERTAIN: 'Its pane was read, but no rule matched, or the screen is ambiguous.',
});
export type AgentState = z.infer<typeof AgentState>;

/** The states that the tail of a pane decides. */
export type PaneState = Extract<
  AgentState,
  'AGENT_STATE_IDLE' | 'AGENT_STATE_THINKING' | 'AGENT_STATE_WAITING' | 'AGENT_STATE_UNCERTAIN'
>;
