import type { AgentChange, Change } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit } from '#contract/wire/agent-record.ts';

/** Has an agent whose window a restart of the computer ended wait to be restored, if its workflow says so. */
export async function followBoot(
  { tables, now }: Change,
  { agentId }: AgentCommit,
  { before, after }: AgentChange,
): Promise<boolean> {
  const hasLostIt = after.windowLost && !before.windowLost && after.ending?.kind === 'rebooted';
  if (!hasLostIt || after.standing !== 'present' || after.heldAt != null) return false;
  const workflow = await tables.workflows.find(after.workflowId);
  if (workflow?.onBoot === 'ON_BOOT_RESTORE') await tables.pendingRestores.add(agentId, now);
  return false;
}
