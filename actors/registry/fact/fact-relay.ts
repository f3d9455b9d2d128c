import { publishFact } from '#bus/facts.ts';
import type { FactScope } from './fact-scope.ts';

/** How many facts are read from the log together. */
const atOnce = 500;

/** Publishes facts until it is stopped. */
export interface FactRelay {
  stop(): Promise<void>;
}

/**
 * Publishes every fact that is written from now on as a hint, in the order of the log. A hint that is lost is made good
 * by whoever watches: the log says what happened.
 */
export async function relayFacts({ store, bus, log }: FactScope): Promise<FactRelay> {
  let told = await store.read(({ facts }) => facts.lastSeq());
  let relaying: Promise<void> | undefined;
  let more = false;
  const relay = async (): Promise<void> => {
    while (more) {
      more = false;
      const news = await store.read(({ facts }) => facts.after(told, atOnce));
      for (const { kind, seq, subjectId } of news) {
        publishFact(bus, { kind, seq: String(seq), subjectId });
        told = seq;
      }
      more ||= news.length === atOnce;
    }
  };
  const hear = (): void => {
    more = true;
    relaying ??= relay()
      .catch((error: unknown) => log.error({ err: error }, 'facts could not be told'))
      .finally(() => {
        relaying = undefined;
        if (more) hear();
      });
  };
  const stopHearing = store.onFacts(hear);
  return {
    async stop() {
      stopHearing();
      await relaying;
    },
  };
}
