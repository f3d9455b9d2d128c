import { requireHost } from '#actors/registry/host/host-name.ts';
import { checkFlags, checkHarness } from '#actors/registry/placement/check-launch.ts';
import { checkDirectory } from '#actors/registry/placement/placement.ts';
import { Failure } from '#contract/failure.ts';
import { isAsked, toolName } from '#contract/operation.ts';
import { quoted } from '#contract/quoted.ts';
import { operations } from '#contract/table.ts';
import type { AgentsMayLaunch } from '#contract/workflow.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { Store } from '#store/store.ts';
import { findWorkflow } from './workflow-resource.ts';

/**
 * Checks that what a grant names exists.
 * @throws INVALID_ARGUMENT when flags, directories or harnesses are invalid; NOT_FOUND when a workflow or a host does
 *   not exist; FAILED_PRECONDITION when several hosts have a name
 */
export async function checkGrant(store: Store, harnesses: Harnesses, grant: AgentsMayLaunch): Promise<void> {
  for (const flags of grant.flags ?? []) checkFlags(flags);
  for (const directory of grant.directories ?? []) checkDirectory('agentsMayLaunch.directories', directory);
  await store.read(async (tables) => {
    const hosts = await tables.hosts.all();
    for (const harness of grant.harnesses ?? []) checkHarness(hosts, harnesses, harness);
    for (const id of grant.workflowIds ?? []) await findWorkflow(tables.workflows, id);
    for (const host of grant.hosts ?? []) requireHost(hosts, host);
  });
}

/** @throws INVALID_ARGUMENT when no CLI asks before it calls one of the tools */
export function checkPreApproved(tools: readonly string[]): void {
  const asked = operations.filter(isAsked).map(toolName);
  const odd = tools.find((tool) => !asked.includes(tool));
  if (odd === undefined) return;
  throw new Failure(
    'INVALID_FIELD',
    `preApprovedTools has ${quoted(odd)}, which is not a tool that CLIs ask about: name any of ${asked.join(', ')}`,
    { field: 'preApprovedTools' },
  );
}
