import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import type { Service } from '#actors/worker/service.ts';
import { Failure } from '#contract/failure.ts';
import { pieceBytes } from '#contract/wire/move-calls.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { MoveScope } from './move-scope.ts';

/**
 * Keeps, in the database, what each agent would move with as of its last round, so that it can move although its host is
 * lost. It is packed after the round; a round whose package is too large, or whose host does not answer, keeps the
 * earlier one.
 */
export function keepRounds(scope: MoveScope): Service {
  /** The agents with a round that is to be packed, each in turn. */
  const waiting = new Set<string>();
  let working: Promise<void> | undefined;
  let isStopped = false;
  const work = async (): Promise<void> => {
    for (const agentId of waiting) {
      waiting.delete(agentId);
      if (isStopped) return;
      await keepRound(scope, agentId).catch((err: unknown) => {
        const level = err instanceof Failure ? 'warn' : 'error';
        scope.log[level]({ err, agentId }, 'a round was not kept for a move from a lost host');
      });
    }
    // In the same turn as the last look at `waiting`, so that no round is left there.
    working = undefined;
  };
  const stopListening = scope.store.onFacts((facts) => {
    for (const { kind, subjectId } of facts) {
      if (kind !== 'review.round-started') continue;
      waiting.add(subjectId);
      working ??= work();
    }
  });
  return {
    async stop() {
      isStopped = true;
      stopListening();
      await working;
    },
  };
}

async function keepRound(scope: MoveScope, agentId: string): Promise<void> {
  const { store, lines, ids, clock } = scope;
  const { host, round } = await store.read(async ({ agents, hosts, rounds }) => ({
    host: await hosts.find((await findAgent(agents, agentId)).host),
    round: (await rounds.newest(agentId))?.ordinal ?? 0,
  }));
  if (host === undefined) return;
  const id = ids.id('mov');
  const { packRound, readPackage, dropPackage } = hostCalls;
  const packed = await askHost(lines, host, packRound, { agentId, packageId: id }, packRound.withinMs);
  try {
    for (let place = 0; place * pieceBytes < packed.bytes; place += 1) {
      const asked = { agentId, moveId: id, offset: place * pieceBytes };
      const { data } = await askHost(lines, host, readPackage, asked, readPackage.withinMs);
      await store.write(({ roundPackages }) => roundPackages.addPiece(agentId, id, place, data));
    }
    const { bytes, digest, needs, notCarried } = packed;
    const kept = { agent: agentId, id, round, bytes, digest, needs, notCarried, at: clock.now() };
    await store.write(async ({ roundPackages, facts }) => {
      await roundPackages.replace(kept);
      await facts.append([{ kind: 'review.round-kept', subjectId: agentId, detail: { round, bytes } }]);
    });
  } catch (error) {
    await store.write(({ roundPackages }) => roundPackages.drop(id));
    throw error;
  } finally {
    await askHost(lines, host, dropPackage, { packageId: id }, dropPackage.withinMs).catch(() => undefined);
  }
}
