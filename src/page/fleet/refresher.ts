import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import { pause } from '#page/api/pause.ts';

/** Queries that become stale within this many milliseconds are refetched together. */
const gatherMs = 60;
/** The minimum interval between fetches of a query, in milliseconds, and the pause after a fetch as a multiple of its duration. */
const pace = { restMs: 500, timesItsLength: 4 } as const;

/**
 * Refetches stale queries: once for several causes, never while the last fetch is in progress, and only those that are
 * shown. Other queries are refetched when they are shown.
 */
export class Refresher {
  readonly #queries: QueryClient;
  readonly #stale = new Map<string, QueryKey>();
  /** When a query may be refetched, in milliseconds since 1970. */
  readonly #readyAt = new WeakMap<Query, number>();
  readonly #waiting = new WeakSet<Query>();
  #timer: number | undefined;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** Marks queries as stale, by prefixes of their keys. */
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

  /** Refetches the shown queries that failed. */
  retry(): void {
    const failed = this.#queries.getQueryCache().findAll({ predicate: ({ state }) => state.error !== null });
    for (const query of failed) this.#refresh(query);
  }

  #refresh(query: Query): void {
    if (this.#waiting.has(query)) return;
    const { fetchStatus } = query.state;
    // A fetch in progress may have begun before the change.
    if (fetchStatus !== 'idle') {
      this.#later(query, query.promise);
      return;
    }
    query.invalidate();
    // Hidden queries are refetched when they are shown.
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
    // A cancelled query settles a moment before its state is updated.
    void (moment ?? Promise.resolve()).then(
      () => window.setTimeout(go),
      () => window.setTimeout(go),
    );
  }
}
