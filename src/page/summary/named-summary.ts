import type { NamedSummary } from '#contract/agent/summary-text.ts';
import { enumName } from '#page/api/enum-name.ts';
import {
  AgentEndingKindSchema,
  AgentOutcomeSchema,
  AgentStateSchema,
  type AgentSummary,
} from '#page/client/agent/v1/agent_pb.js';
import { BudgetMeasureSchema } from '#page/client/budget/v1/budget_pb.js';

/** A summary with its enumeration values by name. */
export function toNamed({
  state,
  outcome,
  ending,
  overBudget,
  ...rest
}: AgentSummary): NamedSummary & { readonly name: string } {
  return {
    ...rest,
    state: enumName(AgentStateSchema, state),
    outcome: enumName(AgentOutcomeSchema, outcome),
    ending: ending && { ...ending, kind: enumName(AgentEndingKindSchema, ending.kind) },
    overBudget: overBudget && { ...overBudget, measure: enumName(BudgetMeasureSchema, overBudget.measure) },
  };
}
