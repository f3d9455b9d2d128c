import { Code, ConnectError } from '@connectrpc/connect';
import type { QueryClient } from '@tanstack/react-query';
import { agents } from '#page/api/clients.ts';
import { type Connection, connectionKey } from '#page/api/connection.ts';
import { failureText, isSignedOut } from '#page/api/failure-text.ts';
import { untilSignedIn } from '#page/api/session.ts';
import { signInCount } from '#page/api/session-store.ts';
import type { WatchAgentsResponse } from '#page/client/agent/v1/agent_pb.js';
import { type Fleet, fleetKey, noFleet } from './fleet.ts';
import { notifyOfHosts } from './host-notices.ts';
import type { Refresher } from './refresher.ts';
import { staleAfter, staleAtWorst, watchedKinds } from './stale.ts';
import type { TabLeader } from './tab-leader.ts';

/**
 * How long a stream may be silent before it counts as broken, in milliseconds. The gateway writes at least every 15 s.
 */
const silenceMs = 25_000;
/** The pause before a stream is opened again, in milliseconds: the first and the longest. */
const retryMs = { first: 250, max: 8_000 } as const;
/**
 * The page is updated at most once in this many milliseconds: the first change is shown at once, and those that follow
 * together. While the initial rows arrive, it is updated less often: each update sorts all rows, and delays the rest.
 */
const minShownMs = { opening: 300, live: 60 } as const;

/**
 * Why a stream was ended here. A browser has six connections to a gateway for all of its tabs: a dozen hidden tabs must
 * not keep the visible one from being answered.
 */
const forgotten = new Error('the tab is hidden');

/** Takes facts of some kinds as they arrive, before what they changed is shown. */
export interface FactListener {
  readonly kinds: readonly string[];
  note(facts: WatchAgentsResponse['facts']): void;
}

interface FleetWatchOptions {
  readonly queries: QueryClient;
  readonly lead: TabLeader;
  readonly refresher: Refresher;
  readonly listener: FactListener;
}

/**
 * Follows all changes while the tab is open, by one stream that resumes from its cursor, so that changes during a lost
 * connection arrive first. Agents’ rows are stored as they arrive; facts determine what else to refetch. A hidden tab
 * pauses, except for the lead. If this browser is not signed in, the watch waits until it is.
 */
export function watchFleet(options: FleetWatchOptions): void {
  void new FleetWatch(options).run();
}

class FleetWatch {
  readonly #queries: QueryClient;
  readonly #lead: TabLeader;
  readonly #refresher: Refresher;
  readonly #listener: FactListener;
  readonly #news: WatchAgentsResponse[] = [];
  #cursor = '';
  /** The agents received since the watch began without a cursor, until the initial rows are complete. */
  #seen: Set<string> | undefined = new Set();
  #receivedAt = Date.now();
  #timer: number | undefined;
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor({ queries, lead, refresher, listener }: FleetWatchOptions) {
    this.#queries = queries;
    this.#lead = lead;
    this.#refresher = refresher;
    this.#listener = listener;
  }

  async run(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      if (this.#isForgotten()) await this.#untilVisible();
      const signIns = signInCount();
      const { error, hasAnswered } = await this.#follow();
      if (isSignedOut(error)) {
        this.#say({ state: 'signed-out' });
        // A browser that was signed in until now may already have a new session.
        if (!hasAnswered) await untilSignedIn(signIns);
        continue;
      }
      if (isBadCursor(error)) this.#startOver();
      if (hasAnswered) tries = 0;
      if (this.#isForgotten()) continue;
      const waitMs = Math.min(retryMs.first * 2 ** tries, retryMs.max) * (0.75 + Math.random() / 2);
      this.#say({ state: 'lost', since: this.#receivedAt, nextAt: Date.now() + waitMs, because: failureText(error) });
      await this.#pause(waitMs);
    }
  }

  /** Follows one stream to its end, which is always an error. */
  async #follow(): Promise<{ readonly error: unknown; readonly hasAnswered: boolean }> {
    const broken = new AbortController();
    const opened = Date.now();
    let hasAnswered = false;
    const silence = window.setInterval(() => {
      if (hasAnswered && this.#isRefused())
        broken.abort(new ConnectError('the session has ended', Code.Unauthenticated));
      if (Date.now() - Math.max(this.#receivedAt, opened) > silenceMs)
        broken.abort(new Error('the gateway stopped sending'));
    }, 1_000);
    const rest = (): void => {
      if (this.#isForgotten()) broken.abort(forgotten);
    };
    document.addEventListener('visibilitychange', rest);
    try {
      const asked = { cursor: this.#cursor, factKinds: [...watchedKinds, ...this.#listener.kinds] };
      for await (const answer of agents.watchAgents(asked, { signal: broken.signal })) {
        if (!hasAnswered) this.#refresher.retry();
        hasAnswered = true;
        this.#handle(answer);
      }
      return { error: new ConnectError('the gateway ended the watch', Code.Unavailable), hasAnswered };
    } catch (error) {
      return { error, hasAnswered };
    } finally {
      window.clearInterval(silence);
      document.removeEventListener('visibilitychange', rest);
    }
  }

  #handle(answer: WatchAgentsResponse): void {
    // Data that was read before the watch began may be older than its first cursor.
    if (this.#cursor === '' || answer.factsForgotten) this.#refresher.stale(staleAtWorst);
    this.#refresher.stale(answer.facts.flatMap(staleAfter));
    notifyOfHosts(answer.facts);
    this.#listener.note(answer.facts);
    this.#receivedAt = Date.now();
    this.#cursor = answer.cursor || this.#cursor;
    this.#say({ state: 'live' });
    this.#gather(answer);
  }

  #gather(answer: WatchAgentsResponse): void {
    this.#news.push(answer);
    if (this.#seen !== undefined && isOnlyCursor(answer)) {
      this.#showNow();
      return;
    }
    const every = this.#seen === undefined ? minShownMs.live : minShownMs.opening;
    const waitMs = Math.max(0, this.#shownAt + every - performance.now());
    this.#timer ??= window.setTimeout(() => this.#showNow(), waitMs);
  }

  #showNow(): void {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shownAt = performance.now();
    this.#show(this.#news.splice(0));
  }

  #show(news: readonly WatchAgentsResponse[]): void {
    const { rows: known, whole: wasWhole } = this.#queries.getQueryData<Fleet>(fleetKey) ?? noFleet;
    const rows = new Map(known);
    let whole = wasWhole;
    for (const answer of news) {
      for (const row of answer.agents) {
        const id = row.agent?.id ?? '';
        this.#seen?.add(id);
        rows.set(id, row);
      }
      for (const id of answer.goneAgentIds) rows.delete(id);
      if (isOnlyCursor(answer)) {
        const seen = this.#seen;
        if (seen !== undefined) for (const id of known.keys()) if (!seen.has(id)) rows.delete(id);
        this.#seen = undefined;
        whole = true;
      }
    }
    this.#queries.setQueryData<Fleet>(fleetKey, { rows, whole });
  }

  /** Begins without a cursor. What was not shown yet arrives again. */
  #startOver(): void {
    window.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#news.length = 0;
    this.#cursor = '';
    this.#seen = new Set();
  }

  #say(connection: Connection): void {
    const known = this.#queries.getQueryData<Connection>(connectionKey);
    const isSame = known?.state === connection.state && connection.state === 'live';
    // The reason for which a sign-in was refused stays visible.
    if (isSame || (known?.state === 'signed-out' && connection.state === 'signed-out')) return;
    this.#queries.setQueryData(connectionKey, connection);
  }

  /** Whether another call has found that this browser is not signed in. */
  #isRefused(): boolean {
    return this.#queries.getQueryData<Connection>(connectionKey)?.state === 'signed-out';
  }

  #isForgotten(): boolean {
    return !this.#lead.isOurs && document.visibilityState === 'hidden';
  }

  /** Waits until the tab is visible, or is the lead. */
  #untilVisible(): Promise<void> {
    return new Promise((resolve) => {
      const listening = new AbortController();
      const look = (): void => {
        if (this.#isForgotten()) return;
        listening.abort();
        resolve();
      };
      document.addEventListener('visibilitychange', look, { signal: listening.signal });
      this.#lead.onOurs(look);
    });
  }

  /** Waits, but not longer than until the browser is online again or the person returns to the tab. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const listening = new AbortController();
      const go = (): void => {
        if (document.visibilityState === 'hidden' && Date.now() < until) return;
        window.clearTimeout(timer);
        listening.abort();
        resolve();
      };
      const until = Date.now() + milliseconds;
      const timer = window.setTimeout(go, milliseconds);
      window.addEventListener('online', go, { signal: listening.signal });
      document.addEventListener('visibilitychange', go, { signal: listening.signal });
    });
  }
}

/** Whether the cursor is too old, or belongs to another log. */
function isBadCursor(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return code === Code.InvalidArgument || code === Code.OutOfRange || code === Code.DataLoss || code === Code.NotFound;
}

/** Whether an answer has only a cursor, which means that the initial rows are complete. */
function isOnlyCursor({ agents: rows, goneAgentIds, facts, factsForgotten }: WatchAgentsResponse): boolean {
  return rows.length + goneAgentIds.length + facts.length === 0 && !factsForgotten;
}
