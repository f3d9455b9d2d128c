import { LeasedWorker } from '#actors/worker/leased-worker.ts';
import { Poller } from '#actors/worker/poller.ts';
import type { Service } from '#actors/worker/service.ts';
import { type SweepScope, SweepWork } from './sweep-work.ts';
import { refreshRepositories } from './used-repositories.ts';

/** How often to check for due repositories, in milliseconds. */
const every = 1_000;
/** How often to check which repositories agents use: after a change, and in any case; in milliseconds. */
const wantedEvery = { changed: 3_000, anyway: 60_000 } as const;

/** Reads the pull requests of the repositories that agents push to, until it is stopped. */
export function startSweeps(scope: SweepScope): Service {
  const { timer, store } = scope;
  const sweeper = new LeasedWorker(new SweepWork(scope), scope);
  let checkedAt = Number.NEGATIVE_INFINITY;
  // Every change of an agent or a connection publishes a fact.
  let hasChanged = true;
  const unsubscribe = store.onFacts(() => {
    hasChanged = true;
  });
  const pass = async (): Promise<void> => {
    if (timer.now() - checkedAt >= (hasChanged ? wantedEvery.changed : wantedEvery.anyway)) {
      hasChanged = false;
      await refreshRepositories(scope);
      checkedAt = timer.now();
    }
    await sweeper.fill();
  };
  const poller = new Poller({ name: 'sweeps', every, pass }, scope).start();
  return {
    async stop() {
      unsubscribe();
      await poller.stop();
      await sweeper.stop();
    },
  };
}
