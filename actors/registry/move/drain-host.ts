import { isBeingDeleted } from '#actors/registry/agent/agent-standing.ts';
import { drain } from '#actors/registry/host/host-orders.ts';
import { findHost, hostOf } from '#actors/registry/host/host-resource.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { wholeAgent } from '#actors/registry/roster/shown-agent.ts';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import type { StartedMove } from '#contract/host/started-move.ts';
import { drainHost } from '#contract/operations/host.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';
import { startMove } from './move-agent.ts';
import type { MoveScope } from './move-scope.ts';

/** How many agents of a host begin to move in one call. */
const maxMoves = 500;

/** How long hosts are asked about agents in one call, in milliseconds: its caller waits for that. */
const askedWithin = 15_000;
const notAsked = 'there was no time to ask about it: drain the host again';

/** Takes a host out of service for new agents, or puts it back. Its present agents may be moved to other hosts. */
export const drainHostHandler = handler(
  drainHost,
  async ({ hostId, undo = false, move = false }, caller, scope: MoveScope) => {
    if (undo && move) {
      throw new Failure(
        'INVALID_FIELD',
        'move and undo are both true: agents move away only from a host that is closed to new ones',
        {
          field: 'move',
        },
      );
    }
    const id = await scope.store.write(async (tables) => {
      const host = await findHost(tables.hosts, hostId);
      await drain({ tables, now: scope.clock.now() }, host, !undo);
      return host.id;
    });
    const moves = move ? await moveAll(scope, id, caller) : [];
    return scope.store.read(async (tables) => {
      const placed = await tables.agents.countPlaced();
      return { host: hostOf(await findHost(tables.hosts, id), { ...scope, placed }), ...(move && { moves }) };
    });
  },
);

/**
 * Begins to move each agent of a host that can move, one at a time, so that all targets share the load. One that is
 * being deleted needs no move.
 */
async function moveAll(scope: MoveScope, hostId: string, caller: Caller): Promise<StartedMove[]> {
  const standing = await scope.store.read(({ agents }) => agents.presentOn(hostId, maxMoves));
  const until = scope.clock.now() + askedWithin;
  const moves: StartedMove[] = [];
  for (const agent of standing.filter((one) => !one.queued && one.movingTo == null && !isBeingDeleted(one))) {
    const isLate = scope.clock.now() >= until;
    moves.push(await (isLate ? refused(scope, agent, caller, notAsked) : moveOrRefusal(scope, agent, caller)));
  }
  return moves;
}

async function moveOrRefusal(scope: MoveScope, agent: StoredAgent, caller: Caller): Promise<StartedMove> {
  try {
    return await startMove(scope, { agentId: agent.id }, caller);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refused(scope, agent, caller, error.message);
  }
}

async function refused(scope: MoveScope, agent: StoredAgent, caller: Caller, refusal: string): Promise<StartedMove> {
  return { agent: await scope.store.read(({ agents }) => wholeAgent(agents, agent, caller)), refusal };
}
