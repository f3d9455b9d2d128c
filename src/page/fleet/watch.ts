import { Code, ConnectError } from '@connectrpc/connect';
import type { QueryClient } from '@tanstack/react-query';
import { agents } from '#page/api/clients.ts';
import { type Connection, connectionKey } from '#page/api/connection.ts';
import { failureText, isSignedOut } from '#page/api/failure-text.ts';
import { signedInAgain } from '#page/api/session.ts';
import { signInCount } from '#page/api/session-store.ts';
import type { WatchAgentsResponse } from '#page/client/agent/v1/agent_pb.js';
import { type Fleet, fleetKey, noFleet } from './fleet.ts';
import { notifyOfHosts } from './host-notices.ts';
import type { Lead } from './lead.ts';
import type { Refresher } from './refresher.ts';
import { kindsHeard, staleAfter, staleAtWorst } from './stale.ts';

/**
 * How long a stream may be silent before it counts as broken, in milliseconds: the gateway writes at least every 15 s.
 */
const silenceMs = 25_000;
/** How long it waits before it tries again, in milliseconds: at first, and at most. */
const retryMs = { first: 250, max: 8_000 } as const;
/**
 * What is shown stands for this many milliseconds at least: the first news are shown at once, and those that follow
 * together.
 */
const standsMs = 60;

/**
 * Why a stream was ended here. A browser has six connections to a gateway for all of its tabs: a dozen that nobody
 * looks at, opened together or looked through in a second, must not keep the one that is looked at from being answered.
 */
const forgotten = new Error('nobody looks at this tab');

/**
 * Follows all changes while the tab is open: one stream, from its cursor on, so that whatever happened while the
 * connection was lost arrives first. Agents’ rows are kept as they arrive; facts say what else to refetch. A tab
 * that nobody looks at rests, except for the lead. If this browser is not signed in, it waits until it is.
 */
export function watchFleet(queries: QueryClient, lead: Lead, refresher: Refresher): void {
  void new FleetWatch(queries, lead, refresher).run();
}

class FleetWatch {
  readonly #queries: QueryClient;
  readonly #lead: Lead;
  readonly #refresher: Refresher;
  readonly #news: WatchAgentsResponse[] = [];
  #cursor = '';
  /** The agents received since the watch began without a cursor, until the opening is complete. */
  #seen: Set<string> | undefined = new Set();
  #heardAt = Date.now();
  #timer: number | undefined;
  #shownAt = Number.NEGATIVE_INFINITY;

  constructor(queries: QueryClient, lead: Lead, refresher: Refresher) {
    this.#queries = queries;
    this.#lead = lead;
    this.#refresher = refresher;
  }

  async run(): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      if (this.#isForgotten()) await this.#untilLookedAt();
      const signIns = signInCount();
      const { error, heard } = await this.#follow();
      if (isSignedOut(error)) {
        this.#say({ state: 'signed-out' });
        // If it was signed in until now, it may be again already, by another session.
        if (!heard) await signedInAgain(signIns);
        continue;
      }
      if (isBadCursor(error)) this.#beginAnew();
      if (heard) tries = 0;
      if (this.#isForgotten()) continue;
      const waitMs = Math.min(retryMs.first * 2 ** tries, retryMs.max) * (0.75 + Math.random() / 2);
      this.#say({ state: 'lost', since: this.#heardAt, nextAt: Date.now() + waitMs, because: failureText(error) });
      await this.#pause(waitMs);
    }
  }

  /** Follows one stream to its end, which is always a failure. */
  async #follow(): Promise<{ readonly error: unknown; readonly heard: boolean }> {
    const broken = new AbortController();
    const opened = Date.now();
    let heard = false;
    const silence = window.setInterval(() => {
      if (heard && this.#isRefused()) broken.abort(new ConnectError('the session has ended', Code.Unauthenticated));
      if (Date.now() - Math.max(this.#heardAt, opened) > silenceMs)
        broken.abort(new Error('nothing was heard any more'));
    }, 1_000);
    const rest = (): void => {
      if (this.#isForgotten()) broken.abort(forgotten);
    };
    document.addEventListener('visibilitychange', rest);
    try {
      const asked = { cursor: this.#cursor, factKinds: [...kindsHeard] };
      for await (const answer of agents.watchAgents(asked, { signal: broken.signal })) {
        if (!heard) this.#refresher.retry();
        heard = true;
        this.#hear(answer);
      }
      return { error: new ConnectError('the gateway ended the watch', Code.Unavailable), heard };
    } catch (error) {
      return { error, heard };
    } finally {
      window.clearInterval(silence);
      document.removeEventListener('visibilitychange', rest);
    }
  }

  #hear(answer: WatchAgentsResponse): void {
    // What was read before the watch began may be older than where it begins.
    if (this.#cursor === '' || answer.factsForgotten) this.#refresher.stale(staleAtWorst);
    this.#refresher.stale(answer.facts.flatMap(staleAfter));
    notifyOfHosts(answer.facts);
    this.#heardAt = Date.now();
    this.#cursor = answer.cursor || this.#cursor;
    this.#say({ state: 'live' });
    this.#gather(answer);
  }

  #gather(answer: WatchAgentsResponse): void {
    this.#news.push(answer);
    const waitMs = Math.max(0, this.#shownAt + standsMs - performance.now());
    this.#timer ??= window.setTimeout(() => {
      this.#timer = undefined;
      this.#shownAt = performance.now();
      this.#show(this.#news.splice(0));
    }, waitMs);
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
      if (isQuiet(answer)) {
        const seen = this.#seen;
        if (seen !== undefined) for (const id of known.keys()) if (!seen.has(id)) rows.delete(id);
        this.#seen = undefined;
        whole = true;
      }
    }
    this.#queries.setQueryData<Fleet>(fleetKey, { rows, whole });
  }

  #beginAnew(): void {
    this.#cursor = '';
    this.#seen = new Set();
  }

  #say(connection: Connection): void {
    const known = this.#queries.getQueryData<Connection>(connectionKey);
    const isSame = known?.state === connection.state && connection.state === 'live';
    // Why a sign-in was refused stays to be read.
    if (isSame || (known?.state === 'signed-out' && connection.state === 'signed-out')) return;
    this.#queries.setQueryData(connectionKey, connection);
  }

  /** Whether another call learned that this browser is not signed in. */
  #isRefused(): boolean {
    return this.#queries.getQueryData<Connection>(connectionKey)?.state === 'signed-out';
  }

  #isForgotten(): boolean {
    return !this.#lead.isOurs && document.visibilityState === 'hidden';
  }

  /** Rests until the tab is looked at, or is the lead. */
  #untilLookedAt(): Promise<void> {
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

  /** Waits, unless the browser comes back to the network or the person to the tab. */
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

/** Whether the log does not reach back to the cursor any more, or is another one. */
function isBadCursor(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return code === Code.InvalidArgument || code === Code.OutOfRange || code === Code.DataLoss || code === Code.NotFound;
}

/** Whether an answer holds only a cursor: the opening is complete. */
function isQuiet({ agents: rows, goneAgentIds, facts, factsForgotten }: WatchAgentsResponse): boolean {
  return rows.length + goneAgentIds.length + facts.length === 0 && !factsForgotten;
}
