import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentTable } from '#store/agent/agent-table.ts';

/** How much agents may launch. */
export interface LaunchQuota {
  /** How many places under the ceiling are reserved for people and their schedules. */
  readonly reserved: number;
  /** How many launches an agent and its descendants may make in a minute. */
  readonly perMinute: number;
  /** How many descendants of one agent, at any depth, may exist, not counting archived ones. */
  readonly atOnce: number;
  /** How many descendants of one agent, at any depth, may be archived. */
  readonly archived: number;
}

const minute = 60_000;

/**
 * Checks that one more agent may exist. Some places are reserved for people, and agents have a quota. Rows are counted
 * in the transaction that adds the agent, so that neither concurrent launches nor a restart evades the limits.
 * @throws RESOURCE_EXHAUSTED when a limit is reached
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
  // An archived agent keeps its row, worktree and branch, which only a person can delete.
  if (line.archived >= archived) {
    throw new Failure(
      'ARCHIVE_FULL',
      `The archive is full: ${who} have launched ${line.archived} agents that are archived, of at most ${archived}. Stop and ` +
        'tell the person, do not retry: they can delete archived agents (muster ls --archived, muster delete), or raise ' +
        'MUSTER_AGENT_LAUNCHES_ARCHIVED',
      { metadata: { limit: String(archived) } },
    );
  }
  if (line.launched < perMinute) return;
  throw new Failure(
    'LAUNCH_RATE_EXCEEDED',
    `Too many launches: ${who} have launched ${line.launched} agents within a minute, of at most ${perMinute}. Stop and tell the person, ` +
      'do not retry: they can launch more themselves, or raise MUSTER_AGENT_LAUNCHES_PER_MINUTE',
    { metadata: { limitPerMinute: String(perMinute) } },
  );
}

function noRoom(why: string, raise: string): Failure {
  return new Failure(
    'AGENT_CEILING_REACHED',
    `There is no room for another agent: ${why}. Stop and tell the person, do not retry: room is made by archiving agents, or ` +
      raise,
  );
}
