import { z } from 'zod';
import { ApprovalRule } from '#contract/approval/approval-rule.ts';
import { approvalsPrefix, approvalsSetting } from '#contract/approval/approvals-setting.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { Tables } from '#store/tables.ts';

/** The setting that says that rules are out of force. */
const offSetting = 'approvals-off';
const Rules = z.array(ApprovalRule);
/** How many generations of agents are followed to the first. */
const maxGenerations = 50;

/** The rules of a workflow. */
export async function rulesOf({ settings }: Tables, workflowId: string): Promise<readonly ApprovalRule[]> {
  const stored = await settings.get(approvalsSetting(workflowId));
  return stored === undefined ? [] : Rules.parse(JSON.parse(stored));
}

/** Whether any workflow has rules. */
export function hasRules({ settings }: Tables): Promise<boolean> {
  return settings.hasUnder(approvalsPrefix);
}

/** Replaces the rules of a workflow. */
export async function putRules(
  { settings }: Tables,
  workflowId: string,
  rules: readonly ApprovalRule[],
): Promise<void> {
  if (rules.length === 0) await settings.drop(approvalsSetting(workflowId));
  else await settings.put(approvalsSetting(workflowId), JSON.stringify(rules));
}

/** Whether rules are in force. */
export async function areInForce({ settings }: Tables): Promise<boolean> {
  return (await settings.get(offSetting)) === undefined;
}

/** Puts rules in force, or out of it. */
export async function putInForce({ settings }: Tables, isInForce: boolean): Promise<void> {
  if (isInForce) await settings.drop(offSetting);
  else await settings.put(offSetting, 'off');
}

/** Whether rules in force are there for an agent. */
export async function isRuled(tables: Tables, agent: StoredAgent): Promise<boolean> {
  if (!(await areInForce(tables)) || !(await hasRules(tables))) return false;
  return (await rulesFor(tables, agent)).rules.length > 0;
}

/** The rules for an agent, and the workflow that they are of. */
export interface AgentRules {
  readonly workflowId: string;
  readonly rules: readonly ApprovalRule[];
}

/**
 * The rules for an agent: those of the workflow of the agent from which it descends, which a person launched, and what the
 * workflows of all between refuse. So no agent gets other rules by launching another one.
 */
export async function rulesFor(tables: Tables, agent: StoredAgent): Promise<AgentRules> {
  const line = [agent];
  for (let at = agent; line.length <= maxGenerations; ) {
    const above = launcherOf(at);
    const found = above === undefined ? undefined : await tables.agents.find(above);
    // Who launched it is no longer known, so neither is whose rules count.
    if (above !== undefined && found === undefined) return { workflowId: agent.workflowId, rules: [] };
    if (found === undefined || line.some(({ id }) => id === found.id)) break;
    line.push(found);
    at = found;
  }
  const workflows = [...new Set(line.map(({ workflowId }) => workflowId))].reverse();
  const [first = agent.workflowId, ...others] = workflows;
  const rules = [...(await rulesOf(tables, first))];
  for (const other of others) {
    const own = await rulesOf(tables, other);
    rules.push(...own.filter(({ action }) => action === 'APPROVAL_ACTION_REFUSE'));
  }
  return { workflowId: first, rules };
}

function launcherOf({ createdBy, parentAgentId, spawnedByAgentId }: StoredAgent): string | undefined {
  return parentAgentId ?? spawnedByAgentId ?? (createdBy.startsWith('agt_') ? createdBy : undefined);
}
