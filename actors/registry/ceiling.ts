import { Failure } from '#contract/failure.ts';
import type { AgentTable } from '#store/agent-table.ts';

/**
 * Refuses one agent more than may exist.
 * @throws Failure `resource_exhausted`.
 */
export async function refuseAboveCeiling(agents: AgentTable, ceiling: number): Promise<void> {
  const present = await agents.countPresent();
  if (present < ceiling) return;
  throw new Failure(
    'resource_exhausted',
    `There is no room for another agent: ${present} of at most ${ceiling} exist. Stop and tell the person, do not ` +
      'retry: room is made by archiving agents, or by a higher MUSTER_AGENT_CEILING',
  );
}
