import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentTable } from '#store/agent/agent-table.ts';

/** How much agents may launch. */
export interface LaunchQuota {
  /** How many of the places under the ceiling only people and their schedules may take. */
  readonly reserved: number;
  /** How many launches an agent and its descendants may make in a minute. */
  readonly perMinute: number;
  /** How many agents descended from one agent, at any depth, may exist that are not archived. */
  readonly atOnce: number;
  /** How many agents descended from one agent, at any depth, may lie in the archive. */
  readonly archived: number;
}

const minute = 60_000;

/**
 * Refuses one agent more than may exist. Agents leave room for people, and have a quota: rows are counted, in the write
 * that adds another one, so that neither haste nor a restart gets around it.
 * @throws RESOURCE_EXHAUSTED
 */
export async function refuseWithoutRoom(
  agents: AgentTable,
  limits: LaunchQuota & { readonly ceiling: number },
  caller: Caller,
  now: number,
): Promise<void> {
  const { ceiling, reserved, perMinute, atOnce, archived } = limits;
  const present = await agents.countPresent();
  if (present >= ceiling) {
    throw noRoom(`${present} of at most ${ceiling} exist`, 'by a higher MUSTER_AGENT_CEILING');
  }
  if (caller.kind === 'person') return;
  if (present >= ceiling - reserved) {
    const kept = `${present} of at most ${ceiling} exist, and the last ${reserved} places are reserved for people`;
    throw noRoom(kept, 'by a lower MUSTER_PLACES_FOR_PEOPLE, or by a higher MUSTER_AGENT_CEILING');
  }
  const line = await agents.lineOf(caller.agentId, now - minute);
  const who = 'you, your ancestors and your descendants';
  if (line.present >= atOnce) {
    throw noRoom(
      `${who} have launched ${line.present} agents that exist, of at most ${atOnce}`,
      'by a higher MUSTER_AGENT_LAUNCHES',
    );
  }
  // What is archived keeps its row, its worktree and its branch: only a person takes those away.
  if (line.archived >= archived) {
    throw new Failure(
      'ARCHIVE_FULL',
      `The archive has no room for more: ${who} have launched ${line.archived} agents that are archived, of at most ${archived}. Stop and ` +
        'tell the person, do not retry: room is made by deleting archived agents (muster ls --archived, muster delete), or by a ' +
        'higher MUSTER_AGENT_LAUNCHES_ARCHIVED',
      { metadata: { limit: String(archived) } },
    );
  }
  if (line.launched < perMinute) return;
  throw new Failure(
    'LAUNCH_RATE_EXCEEDED',
    `Too many launches: ${who} have launched ${line.launched} agents within a minute, of at most ${perMinute}. Stop and tell the person,  ` +
      'do not retry: they can launch more themselves, or raise MUSTER_AGENT_LAUNCHES_PER_MINUTE',
    { metadata: { limitPerMinute: String(perMinute) } },
  );
}

function noRoom(why: string, raise: string): Failure {
  return new Failure(
    'AGENT_CEILING_REACHED',
    `There is no room for another agent: ${why}. Stop and tell the person,  do not retry: room is made by archiving agents, or ` +
      raise,
  );
}
