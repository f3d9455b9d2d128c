import { publishFact } from '#bus/facts.ts';
import type { FactScope } from './fact-scope.ts';

/**
 * Publishes a hint for each fact once its commit is durable, in the order of the log; returns the function that stops
 * it. A watcher recovers from a lost hint by reading the log.
 */
export function publishFacts({ store, bus }: Pick<FactScope, 'store' | 'bus'>): () => void {
  return store.onFacts((facts) => {
    for (const { kind, subjectId, seq } of facts) publishFact(bus, { kind, subjectId, seq: String(seq) });
  });
}
