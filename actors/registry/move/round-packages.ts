import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import { Failure } from '#contract/failure.ts';
import { pieceBytes } from '#contract/wire/move-calls.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { MoveScope } from './move-scope.ts';

/** How often to check for rounds that are not stored, without a cause, in milliseconds. */
const every = 15_000;
/**
 * How long to wait before a failed round is retried, in milliseconds: its package is too large, or its host offline.
 */
const againAfter = 10 * 60_000;
/** The maximum age of a round that is still packed, in milliseconds. Agents with older rounds have moved on. */
const maxAge = 24 * 60 * 60_000;
const maxAtOnce = 200;

/**
 * Stores the package of each agent's last round in the database, so that the agent can move even if its host is
 * lost. The rows determine which rounds to pack, so a crash only delays it. Only one of several registries does
 * so, so that no round is packed twice. A round whose package is too large, or whose host does not answer, leaves the
 * earlier one.
 */
export function keepRounds(scope: MoveScope, peers: { readonly leads: boolean }): Service {
  /** The rounds that could not be stored, and when each is retried. */
  const failed = new Map<string, number>();
  const pass = async (signal: AbortSignal): Promise<void> => {
    if (!peers.leads) return;
    const now = scope.clock.now();
    const unkept = await scope.store.read(({ roundPackages }) => roundPackages.unkept(now - maxAge, maxAtOnce));
    for (const { agent: agentId, round } of unkept) {
      const key = `${agentId}/${round}`;
      if (signal.aborted) return;
      if ((failed.get(key) ?? 0) > now) continue;
      try {
        await keepRound(scope, agentId);
        failed.delete(key);
      } catch (err) {
        failed.set(key, now + againAfter);
        const level = err instanceof Failure ? 'warn' : 'error';
        scope.log[level]({ err, agentId }, 'a round was not kept for a move from a lost host');
      }
    }
    for (const [key, at] of failed) if (at + maxAge < now) failed.delete(key);
  };
  const poller = new Poller({ name: 'rounds', every, pass }, scope).start();
  const stopListening = scope.store.onFacts((facts) => {
    if (facts.some(({ kind }) => kind === 'review.round-started')) poller.wake();
  });
  return {
    async stop() {
      stopListening();
      await poller.stop();
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
