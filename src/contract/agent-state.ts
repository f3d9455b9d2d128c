import type { z } from 'zod';
import { enumeration } from './message.ts';

/** What the service last decided an agent was doing. */
export const AgentState = enumeration('agent.v1.AgentState', [
  'AGENT_STATE_UNSPECIFIED',
  'AGENT_STATE_IDLE',
  'AGENT_STATE_THINKING',
  'AGENT_STATE_WAITING',
  'AGENT_STATE_SETTING_UP',
  'AGENT_STATE_FAILED_TO_CREATE',
  'AGENT_STATE_FAILED_TO_CLEANUP',
  'AGENT_STATE_UNCERTAIN',
]);
export type AgentState = z.infer<typeof AgentState>;

/** The four states that the tail of a pane decides. */
export type PaneState = Extract<
  AgentState,
  'AGENT_STATE_IDLE' | 'AGENT_STATE_THINKING' | 'AGENT_STATE_WAITING' | 'AGENT_STATE_UNCERTAIN'
>;
