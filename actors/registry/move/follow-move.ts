import { isOnline, isRemoved } from '#actors/registry/host/online.ts';
import type { AgentChange, Change } from '#actors/registry/kernel/writing.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import { type AgentContext, readAgentContext } from '#machines/agent/agent-context.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import type { Move, MovePlace } from '#machines/agent/move.ts';
import { movePlace } from '#machines/agent/move-steps.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import type { DepartureCleanup } from '#store/departure/departure-entity.ts';

/**
 * Places an agent that moves on the host that its state belongs to, in the write that enters the state: the epoch
 * rises, so that nothing counts which the other host writes later. Each host learns what an agent left there: it keeps
 * that until the agent has arrived elsewhere.
 */
export async function followMove(
  writing: Change,
  commit: AgentCommit,
  { before, after }: AgentChange,
): Promise<boolean> {
  if (after.standing === 'gone') await writing.tables.roundPackages.forget(after.id);
  const [was, is] = [readAgentContext(before.snapshot), readAgentContext(commit.snapshot)];
  if (was.move === undefined && is.move === undefined) return false;
  const place = movePlace(is, phaseOf(commit.snapshot.value)) ?? (hasFailed(is) ? was.move?.from : undefined);
  if (place !== undefined && place.hostId !== before.host) {
    await placeAnew(writing, before, place, remainsAt(before, (is.move ?? was.move)?.from.hostId));
    return true;
  }
  const isOver = is.move === undefined || after.standing === 'gone';
  if (was.move !== undefined && isOver) await settle(writing, after, was.move);
  return false;
}

/** Whether an agent's move is over, and it has returned. */
function hasFailed({ move, failedMove }: AgentContext): boolean {
  return move === undefined && failedMove !== undefined;
}

/** What a host does with an agent's remains: the host that it came from keeps them, any other removes them. */
function remainsAt(agent: StoredAgent, from: string | undefined): DepartureCleanup {
  return agent.host === from ? 'kept' : 'taken-away';
}

async function placeAnew(
  writing: Change,
  before: StoredAgent,
  place: MovePlace,
  remains: DepartureCleanup,
): Promise<void> {
  const { tables, now, ring } = writing;
  const { departures, journal, hosts } = tables;
  const epoch = before.epoch + 1;
  const known = await departures.find(before.id, place.hostId);
  // The agent is back, so the remains are its own again.
  if (known !== undefined) await departures.remove(known.id);
  const id = `${before.id}@${before.host}`;
  await departures.insert({
    id,
    agent: before.id,
    host: before.host,
    epoch,
    record: recordOf(before),
    remains,
    at: now,
  });
  const host = await hosts.find(place.hostId);
  const lastKnownAt = host === undefined || isOnline(host) ? null : host.seenAt;
  const hostRemovedAt = host !== undefined && isRemoved(host) ? now : null;
  await journal.placeAnew(before, { host: place.hostId, epoch, cwd: place.cwd, lastKnownAt, hostRemovedAt });
  ring(before.host);
  ring(place.hostId);
}

/** Once an agent has arrived, its remains may be removed. If it never left, or is deleted, nothing is done. */
async function settle({ tables: { departures }, ring }: Change, agent: StoredAgent, move: Move): Promise<void> {
  const kept = await departures.find(agent.id, move.from.hostId);
  if (kept === undefined || agent.host === move.from.hostId) return;
  await departures.setRemains(kept.id, move.fromRound || agent.standing === 'gone' ? 'closed' : 'taken-away');
  ring(move.from.hostId);
}

/** The departure of an agent from a host. */
function recordOf({ id, family, host, epoch, version, snapshot, launch, name }: StoredAgent): AgentRecord {
  return { id, family, hostId: host, epoch, version, snapshot, launch: { ...launch, name, briefing: '' }, effects: [] };
}
