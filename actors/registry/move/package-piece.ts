import type { z } from 'zod';
import { requireEpoch } from '#actors/registry/agent/find-agent.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import { ownAgent } from '#actors/registry/host/own-agent.ts';
import type { Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { pieceBytes } from '#contract/wire/move-calls.ts';
import { hostCalls, type registryCalls } from '#contract/wire/registry.ts';
import { readAgentContext } from '#machines/agent/agent-context.ts';
import type { MoveScope } from './move-scope.ts';

/**
 * A piece of the package of an agent that moves to the host which asks: read from the host that the agent comes from.
 * Hosts cannot reach each other, and can request no package but this one.
 * @throws FAILED_PRECONDITION when the agent does not move to that host
 */
export async function packagePiece(
  { store, lines }: Pick<MoveScope, 'store' | 'lines'>,
  { agentId, epoch, offset }: z.output<typeof registryCalls.piece.request>,
  sender: Sender,
): Promise<z.input<typeof registryCalls.piece.response>> {
  const { move, host } = await store.read(async ({ agents, hosts }) => {
    const agent = await ownAgent(agents, sender, agentId);
    requireEpoch(agent, epoch);
    const { move: moves } = readAgentContext(agent.snapshot);
    return { move: moves, host: moves && (await hosts.find(moves.from.hostId)) };
  });
  if (move?.package === undefined || move.to.hostId !== sender.hostId || host === undefined) {
    throw new Failure('MOVE_NOT_POSSIBLE', `Agent ${agentId} does not move to host ${sender.hostId}: release it`, {
      metadata: { agentId },
    });
  }
  if (offset >= move.package.bytes) return { data: '' };
  if (move.fromRound) return { data: await roundPiece({ store }, agentId, offset) };
  const { withinMs } = hostCalls.readPackage;
  return askHost(lines, host, hostCalls.readPackage, { agentId, moveId: move.id, offset }, withinMs);
}

/** A piece of the package of an agent's last round. */
async function roundPiece({ store }: Pick<MoveScope, 'store'>, agentId: string, offset: number): Promise<string> {
  const place = Math.floor(offset / pieceBytes);
  const data = await store.read(async ({ roundPackages }) => {
    const kept = await roundPackages.find(agentId);
    return kept && (await roundPackages.piece(kept.id, place));
  });
  const within = offset % pieceBytes;
  if (data === undefined || within === 0) return data ?? '';
  return Buffer.from(data, 'base64').subarray(within).toString('base64');
}
