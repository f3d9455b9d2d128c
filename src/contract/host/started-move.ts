import { z } from 'zod';
import { Agent } from '#contract/agent/agent.ts';
import { message } from '#contract/message.ts';

/** The result of a move that `DrainHost` began, or why it did not. */
export const StartedMove = message('host.v1.StartedMove', {
  agent: [1, Agent, 'One of the host’s agents that are not archived, after the call.'],
  hostId: [2, z.string(), 'The host that it moves to. Unset if it does not.'],
  notCarried: [3, z.array(z.string()), 'What is not carried, one sentence each.'],
  refusal: [4, z.string(), 'Why it does not move. Unset if it does.'],
});
export type StartedMove = z.infer<typeof StartedMove>;
