import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import { isDatabaseReason } from '#contract/database-reason.ts';
import { Failure } from '#contract/failure.ts';
import { startMove } from './move-agent.ts';
import type { MoveScope } from './move-scope.ts';

/** How often to check for children on another host than their parents, without a cause, in milliseconds. */
const every = 60_000;
/** How many children begin to follow in one pass. */
const atOnce = 50;

/** The kinds of facts after which a child may have to follow its parent, or may be able to. */
const causes = /^(?:agent\.moved|host\.back)$/;

/**
 * Has archived children follow a parent that has moved to another host. What is to be done follows from the agents'
 * rows, so a crash, a lost host or a refusal only delays it. Each registry does so: of two, the second is refused.
 */
export function followParents(scope: MoveScope): Service {
  const poller = new Poller({ name: 'families', every, pass: (signal) => pass(scope, signal) }, scope).start();
  const stopListening = scope.store.onFacts((facts) => {
    if (facts.some(({ kind }) => causes.test(kind))) poller.wake();
  });
  return {
    async stop() {
      stopListening();
      await poller.stop();
    },
  };
}

async function pass(scope: MoveScope, signal: AbortSignal): Promise<void> {
  const left = await scope.store.read(({ departures }) => departures.childrenLeft(atOnce));
  for (const { child, parent } of left) {
    if (signal.aborted) return;
    try {
      await startMove(scope, { agentId: child }, { kind: 'person' });
    } catch (error) {
      if (!(error instanceof Failure) || isDatabaseReason(error.reason)) throw error;
      scope.log.warn({ err: error, agentId: child, parent }, 'a child did not follow its parent to another host');
    }
  }
}
