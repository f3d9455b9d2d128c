import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { pause } from '#page/api/pause.ts';

/** What becomes stale within this many milliseconds is asked for together. */
const gatherMs = 60;
/** The same is asked for so often at most, in milliseconds, and for this part of the time. */
const pace = { restMs: 500, timesItsLength: 4 } as const;

/**
 * Asks again for what is stale: once for many causes, never while the last question is in progress, and only for what
 * is shown. Anything else is asked for when it is shown next.
 */
export class Refresher {
  readonly #queries: QueryClient;
  readonly #stale = new Map<string, QueryKey>();
  /** From when on a question may be asked again, in milliseconds since 1970. */
  readonly #readyAt = new WeakMap<Query, number>();
  readonly #waiting = new WeakSet<Query>();
  #timer: number | undefined;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** Says what is stale, by the beginnings of keys. */
  stale(keys: readonly QueryKey[]): void {
    for (const key of keys) this.#stale.set(hashKey(key), key);
    if (this.#stale.size === 0) return;
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined;
      const gathered = [...this.#stale.values()];
      this.#stale.clear();
      const cache = this.#queries.getQueryCache();
      for (const query of new Set(gathered.flatMap((queryKey) => cache.findAll({ queryKey })))) this.#refresh(query);
    }, gatherMs);
  }

  /** Asks again for what is shown and could not be read. */
  retry(): void {
    const failed = this.#queries.getQueryCache().findAll({ predicate: ({ state }) => state.error !== null });
    for (const query of failed) this.#refresh(query);
  }

  #refresh(query: Query): void {
    if (this.#waiting.has(query)) return;
    const { fetchStatus } = query.state;
    // An answer that is in progress may be older than what made it stale.
    if (fetchStatus !== 'idle') {
      this.#later(query, query.promise);
      return;
    }
    query.invalidate();
    // What is hidden is read when it is looked at.
    if (!query.isActive() || document.visibilityState === 'hidden') return;
    const waitMs = (this.#readyAt.get(query) ?? 0) - Date.now();
    if (waitMs > 0) this.#later(query, pause(waitMs));
    else this.#ask(query);
  }

  #ask(query: Query): void {
    const began = Date.now();
    this.#readyAt.set(query, began + pace.restMs);
    const { queryKey } = query;
    const asked = this.#queries.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false });
    void asked.then(() => {
      const took = Date.now() - began;
      this.#readyAt.set(query, Math.max(began + pace.restMs, Date.now() + took * pace.timesItsLength));
    });
  }

  #later(query: Query, moment: Promise<unknown> | undefined): void {
    this.#waiting.add(query);
    const go = (): void => {
      this.#waiting.delete(query);
      this.#refresh(query);
    };
    // A question that is cancelled is settled a moment before it counts as such.
    void (moment ?? Promise.resolve()).then(
      () => window.setTimeout(go),
      () => window.setTimeout(go),
    );
  }
}
