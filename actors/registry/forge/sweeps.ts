import { Sweeper, type SweepScope } from './sweeper.ts';
import { refreshWanted } from './wanted.ts';

/** How often it is looked whether a repository is due, in milliseconds. */
const every = 1_000;
/** At each which of these looks it is looked which ones agents name: where anything moved, and in any case. */
const wantedAt = { moved: 3, anyway: 60 } as const;

/** Sweeps at work. */
export interface Sweeps {
  stop(): Promise<void>;
}

/** Reads the pull requests of the repositories that agents push to until it is stopped. */
export function startSweeps(scope: SweepScope): Sweeps {
  const sweeper = new Sweeper(scope);
  let stopped = false;
  let looking: Promise<void> | undefined;
  let looksSince: number = wantedAt.anyway;
  // Whatever moves an agent or a connection is told by a fact.
  let hasMoved = true;
  const stopHearing = scope.store.onFacts(() => {
    hasMoved = true;
  });
  const round = async (): Promise<void> => {
    looksSince += 1;
    if (looksSince >= (hasMoved ? wantedAt.moved : wantedAt.anyway)) {
      hasMoved = false;
      looksSince = 0;
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
  const timer = setInterval(look, every);
  return {
    async stop() {
      clearInterval(timer);
      stopHearing();
      stopped = true;
      await looking;
      await sweeper.stop();
    },
  };
}
