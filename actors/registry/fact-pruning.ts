import type { RegistryScope } from './registry-scope.ts';

/** How often it is looked whether facts have become too old, in milliseconds. */
const every = 3_600_000;
/** How many facts are forgotten in one write: whoever waits for the store has its turn before the next. */
const atOnce = 500;

const day = 86_400_000;

/** Forgets old facts until it is stopped. */
export interface FactPruning {
  stop(): Promise<void>;
}

/** Keeps the log from growing for ever: at the start and every hour it forgets the oldest facts, a few in each write. */
export function pruneFacts({ store, clock, log, factsKept: { days, count: keep } }: RegistryScope): FactPruning {
  let stopped = false;
  const prune = async (): Promise<void> => {
    const before = clock.now() - days * day;
    let forgotten = 0;
    for (let more = true; more && !stopped; ) {
      const count = await store.write(({ facts }) => facts.prune({ before, keep, limit: atOnce }));
      forgotten += count;
      more = count === atOnce;
    }
    if (forgotten > 0) log.info({ forgotten }, 'old facts were forgotten');
  };
  let pruning: Promise<void> | undefined;
  const look = (): void => {
    pruning ??= prune()
      .catch((error: unknown) => log.error({ err: error }, 'old facts could not be forgotten'))
      .finally(() => {
        pruning = undefined;
      });
  };
  look();
  const timer = setInterval(look, every);
  return {
    async stop() {
      clearInterval(timer);
      stopped = true;
      await pruning;
    },
  };
}
