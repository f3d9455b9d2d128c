import { z } from 'zod';
import { SpentBudget } from '#contract/budget/budget.ts';
import { message } from '#contract/message.ts';
import { AgentOutcome } from './agent-outcome.ts';
import { AgentState } from './agent-state.ts';
import { AgentEnding } from './ending.ts';
import { Park } from './park.ts';

/** What happened to an agent since a time. Counts that are unset are 0. */
export const AgentSummary = message('agent.v1.AgentSummary', {
  agentId: [1, z.string(), 'Its id, as in every other call.'],
  name: [2, z.string(), 'What people call it.'],
  state: [3, AgentState, 'What it does now.'],
  outcome: [4, AgentOutcome, 'Where it stands now. Unset while it is set up, works or is parked, and without a turn.'],
  reason: [5, z.string(), 'Why: the reason of its state, or the question that it asks.'],
  turns: [6, z.int32(), 'How many turns it finished.'],
  result: [7, z.string(), 'The opening of the result that it reported, which get_result returns. Unset: none.'],
  ending: [8, AgentEnding, 'How its CLI ended. Unset while it runs.'],
  ended: [9, z.int32(), 'How often its CLI ended.'],
  restored: [10, z.int32(), 'How often it was restored.'],
  waited: [11, z.int32(), 'How often it began to wait for a person, or for a rule.'],
  approved: [12, z.int32(), 'How many of its questions rules answered: for people alone.'],
  parked: [13, z.int32(), 'How often it was parked, counting a time that continues or began before.'],
  resumed: [14, z.int32(), 'How often it was asked to continue after a limit.'],
  heldByBudget: [15, z.int32(), 'How often a budget held it, counting a time that continues or began before.'],
  failed: [
    16,
    z.int32(),
    'How often its launch, its clean-up or a script of it failed, or it was refused when its turn to be restored came.',
  ],
  park: [17, Park, 'Why and until when it is parked. Unset if it is not.'],
  overBudget: [18, SpentBudget, 'The budget that holds it. Unset if none does.'],
  lastKnownAt: [
    20,
    z.string(),
    'When `state` was last known, if its host is silent or lost: RFC 3339, UTC. Unset otherwise.',
  ],
  asked: [19, z.int32(), 'How many of its questions reached a person, as no rule answered them: for people alone.'],
});
export type AgentSummary = z.infer<typeof AgentSummary>;
