import { z } from 'zod';
import { message } from '#contract/message.ts';

/** The length of a result, and of the schema that it must fit, in characters. */
export const maxResult = 50_000;
export const maxResultSchema = 20_000;

/** What an agent reported as the result of its work. */
export const AgentResult = message('agent.v1.AgentResult', {
  agentId: [1, z.string(), 'The agent that reported it.'],
  text: [2, z.string(), 'The result as the agent gave it: JSON if it was launched with a schema.'],
  fitsSchema: [3, z.boolean(), 'Whether it is JSON that fits the schema of its launch. Unset: there was no schema.'],
  turn: [4, z.int32(), 'The turn in which it was reported, from 1. Unset: before its first turn.'],
  reportedAt: [5, z.string(), 'When it was reported: RFC 3339, UTC.'],
});
export type AgentResult = z.infer<typeof AgentResult>;
