import { Sweeper, type SweepScope } from './sweeper.ts';
import { refreshWanted } from './wanted.ts';

/** How often it is looked whether a repository is due, and which ones agents name, in milliseconds. */
const every = { due: 1_000, wanted: 60_000 } as const;

/** Sweeps at work. */
export interface Sweeps {
  /** Looks at once what is due. */
  look(): void;
  stop(): Promise<void>;
}

/** Reads the pull requests of the repositories that agents push to until it is stopped. */
export function startSweeps(scope: SweepScope): Sweeps {
  const sweeper = new Sweeper(scope);
  let stopped = false;
  let looking: Promise<void> | undefined;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  // Whatever moves an agent or a connection is told by a fact.
  let hasMoved = true;
  const stopHearing = scope.store.onFacts(() => {
    hasMoved = true;
  });
  const round = async (): Promise<void> => {
    const now = scope.clock.now();
    if (hasMoved || Math.abs(now - refreshedAt) >= every.wanted) {
      hasMoved = false;
      refreshedAt = now;
      await refreshWanted(scope);
    }
    await sweeper.look();
  };
  const look = (): void => {
    if (stopped) return;
    looking ??= round()
      .catch((error: unknown) => scope.log.error({ err: error }, 'repositories could not be looked at'))
      .finally(() => {
        looking = undefined;
      });
  };
  look();
  const timer = setInterval(look, every.due);
  return {
    look,
    async stop() {
      clearInterval(timer);
      stopHearing();
      stopped = true;
      await looking;
      await sweeper.stop();
    },
  };
}
