import { z } from 'zod';

/** What the service last decided an agent was doing (interface, AgentState). */
export const AgentState = z
  .enum([
    'AGENT_STATE_UNSPECIFIED',
    'AGENT_STATE_IDLE',
    'AGENT_STATE_THINKING',
    'AGENT_STATE_WAITING',
    'AGENT_STATE_SETTING_UP',
    'AGENT_STATE_FAILED_TO_CREATE',
    'AGENT_STATE_FAILED_TO_CLEANUP',
    'AGENT_STATE_UNCERTAIN',
  ])
  .meta({ id: 'AgentState' });
export type AgentState = z.infer<typeof AgentState>;

/** The four states that the tail of a pane decides. */
export type PaneState = 'AGENT_STATE_IDLE' | 'AGENT_STATE_THINKING' | 'AGENT_STATE_WAITING' | 'AGENT_STATE_UNCERTAIN';
