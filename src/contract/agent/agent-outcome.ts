import type { z } from 'zod';
import { enumeration } from '#contract/message.ts';

/** What can end a wait for an agent. */
export const AgentOutcome = enumeration('agent.v1.AgentOutcome', {
  AGENT_OUTCOME_UNSPECIFIED: 'Not given; never sent.',
  AGENT_OUTCOME_FINISHED: 'It finished a turn: it came to rest after work.',
  AGENT_OUTCOME_ENDED: 'Its CLI ended, alone or with its terminal.',
  AGENT_OUTCOME_FAILED: 'Its launch or clean-up failed.',
  AGENT_OUTCOME_WAITS: 'It waits for a person.',
  AGENT_OUTCOME_GONE: 'It was archived or deleted.',
  AGENT_OUTCOME_OVER_BUDGET: 'It rests, and a budget that is used up holds it until a person continues that.',
});
export type AgentOutcome = z.infer<typeof AgentOutcome>;
