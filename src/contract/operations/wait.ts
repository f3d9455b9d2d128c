import { z } from 'zod';
import { AgentOutcome } from '#contract/agent/agent-outcome.ts';
import { AgentEnding } from '#contract/agent/ending.ts';
import { message } from '#contract/message.ts';
import { operation } from '#contract/operation.ts';
import { nextCursor } from '#contract/page.ts';

/** How many agents one call waits for. */
export const maxAwaited = 200;

/** An agent, and what ended the wait for it. */
export const AwaitedAgent = message('agent.v1.AwaitedAgent', {
  agentId: [1, z.string(), 'Its id, as in every other call.'],
  name: [2, z.string(), 'What people call it.'],
  outcome: [3, AgentOutcome, 'What ended the wait for it.'],
  turn: [4, z.int32(), 'How many turns it has finished. Unset: none, or it is older than the count.'],
  reason: [
    5,
    z.string(),
    'Why: the question that it asks, the budget that holds it, or the reason of its state, in one line.',
  ],
  ending: [6, AgentEnding, 'How its CLI ended. Unset while it runs.'],
  hasResult: [7, z.boolean(), 'Whether it has reported a result, which get_result returns.'],
});
export type AwaitedAgent = z.infer<typeof AwaitedAgent>;

export const waitForAgents = operation({
  package: 'agent.v1',
  service: 'AgentService',
  method: 'WaitForAgents',
  summary: 'Waits until agents finish a turn, end, fail or wait for a person.',
  guidance:
    'Answers at once with earlier outcomes, or with those since the cursor. An agent that ends, fails, is gone or over budget ends ' +
    'the wait for it in any case. Pass the cursor back.',
  request: message('agent.v1.WaitForAgentsRequest', {
    agentIds: [1, z.array(z.string()).max(maxAwaited), 'Agents to wait for, by id: at most 200.'],
    launchedBy: [
      2,
      z.string(),
      'Or: those that this agent launched and that are not archived. Your id: SERVICE_AGENT_ID.',
    ],
    workflowId: [3, z.string(), 'Or: those of this workflow that are not archived.'],
    until: [4, z.array(AgentOutcome), 'What to wait for. Empty: anything.'],
    any: [5, z.boolean(), 'Answer about the first. Unset: once all have an outcome.'],
    afterTurn: [6, z.int32().min(0), 'Only turns after this one count as finished. Unset: every turn.'],
    cursor: [7, z.string(), 'cursor of the last answer. Unset: as it is now.'],
  }),
  response: message('agent.v1.WaitForAgentsResponse', {
    agents: [1, z.array(AwaitedAgent), 'The outcomes. Empty: continue to wait.'],
    cursor: [2, ...nextCursor],
    factsForgotten: [
      3,
      z.boolean(),
      'Whether facts since the first call are no longer kept: outcomes that were over before may be missing.',
    ],
  }),
  access: 'read',
  idempotent: true,
  roles: ['implementer', 'reviewer', 'orchestrator'],
  watch: { facts: 'agent.', about: 'agentIds' },
});
