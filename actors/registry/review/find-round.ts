import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { StoredRound } from '#store/review/entities.ts';
import type { Tables } from '#store/tables.ts';

/** A round of an agent by its id. @throws NOT_FOUND when the agent has no such round */
export async function roundById({ rounds }: Tables, agent: StoredAgent, id: string): Promise<StoredRound> {
  const round = await rounds.find(id);
  if (round?.agent === agent.id) return round;
  throw unknown(agent, 'roundId', id);
}

/** An agent's newest round. @throws FAILED_PRECONDITION when there is none */
export async function newestRound({ rounds }: Tables, agent: StoredAgent): Promise<StoredRound> {
  const round = await rounds.newest(agent.id);
  if (round !== undefined) return round;
  throw new Failure(
    'NO_REVIEW_ROUND',
    `Agent ${describeAgent(agent)} has no review round yet: start_review_round creates one`,
  );
}

/**
 * The round that a reader refers to: the one with the named snapshot, or else the one that they read last, or the
 * newest if they have read none.
 * @throws NOT_FOUND when no round has the snapshot; FAILED_PRECONDITION when there is no round
 */
export async function resolveRound(
  tables: Tables,
  agent: StoredAgent,
  reader: string,
  snapshotSha: string | undefined,
): Promise<StoredRound> {
  const { rounds } = tables;
  const newest = await newestRound(tables, agent);
  if (!snapshotSha) return (await rounds.readBy(agent.id, reader)) ?? newest;
  const round = await rounds.ofSnapshot(agent.id, snapshotSha);
  if (round !== undefined) return round;
  throw unknown(agent, 'snapshotSha', snapshotSha);
}

/**
 * The commit of the old side of a comment: the round's own base, or the snapshot of an earlier round.
 * @throws INVALID_ARGUMENT when `baseSha` is neither
 */
export async function checkedBase(
  { rounds }: Tables,
  agent: StoredAgent,
  round: StoredRound,
  baseSha: string | undefined,
): Promise<string> {
  if (!baseSha || baseSha === round.baseSha) return round.baseSha;
  const earlier = await rounds.ofSnapshot(agent.id, baseSha);
  if (earlier !== undefined && earlier.ordinal < round.ordinal) return baseSha;
  throw new Failure(
    'INVALID_FIELD',
    `baseSha is ${quoted(baseSha)}, which is neither the base of round ${round.ordinal} (${round.baseSha}) nor the ` +
      'snapshot of an earlier round: pass the one that get_review_diff returned',
    { field: 'baseSha' },
  );
}

function unknown(agent: StoredAgent, field: string, value: string): Failure {
  return new Failure(
    'REVIEW_ROUND_NOT_FOUND',
    `${field} is ${quoted(value)}, and no review round of agent ${describeAgent(agent)} has it: list_review_rounds shows them`,
    { field },
  );
}
