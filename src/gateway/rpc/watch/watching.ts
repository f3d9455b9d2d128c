import type { JsonObject } from '@bufbuild/protobuf';
import type { Bus, Subscription } from '#bus/bus.ts';
import type { Caller } from '#contract/access/caller.ts';
import type { FactWatch, Operation } from '#contract/operation.ts';
import type { StreamCredential } from '#gateway/http/live-credentials.ts';
import { retrying } from '#gateway/http/retrying.ts';
import type { UnauthenticatedThrottle } from '#gateway/http/unauthenticated-throttle.ts';
import { askOperation, type CallerCall } from '#gateway/rpc/ask.ts';
import type { FactHints } from '#gateway/rpc/fact-hints.ts';
import { paneSource } from './pane-source.ts';
import { SharedWatch } from './shared-watch.ts';
import { prefixOf, type Tails } from './tails.ts';
import type { ChangeSource } from './watch.ts';

/** How long the registry may take to answer a watch, in milliseconds. */
const watchAskMs = 10_000;

/** The dependencies that the watches of a gateway share. */
export interface WatchSources {
  readonly bus: Bus;
  readonly hints: FactHints;
  readonly tails: Tails;
  /** How long a watch may be silent, in milliseconds. */
  readonly heartbeatMs: number;
  /** How long a watch waits for an unreachable registry, in milliseconds. */
  readonly patienceMs: number;
  readonly throttle: UnauthenticatedThrottle;
}

/** The options of one watch. */
interface WatchOptions extends WatchSources {
  /** The minimum time between two answers, in milliseconds. */
  readonly betweenMs: () => number;
  /** The caller's network address. */
  readonly address: string;
  /** The caller's credential, which is checked before each answer. */
  readonly held: StreamCredential;
  /** Whether it may start with a list that another watch just got. */
  readonly sharesOpening: boolean;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

type WatchCall = (cursor: string, scope: 'own' | 'shared') => Promise<JsonObject>;

/**
 * The watch of an operation: a request that retries, and the facts after which it is repeated. Requests with the same
 * answers for many watches are sent once.
 */
export function watchingOf(row: Operation, call: CallerCall, options: WatchOptions): ChangeSource {
  const { bus, heartbeatMs, patienceMs, throttle, betweenMs, address, held, signal } = options;
  const { credential } = call;
  const { cursor: opening, ...rest } = call.request as JsonObject;
  const ask: WatchCall = (cursor, scope) => {
    const whole = scope === 'own' ? rest : withoutNarrowing(row, rest);
    const asked = cursor === '' ? whole : { ...whole, cursor };
    const its = { credential, request: asked, shared: scope === 'shared' };
    return throttle.admit(address, () => askOperation(bus, row, its, watchAskMs));
  };
  const source = sourceOf(row, { ...call, request: rest }, ask, options);
  const answered = async (cursor: string): Promise<JsonObject> => {
    const answer = await source.ask(cursor);
    await held.require();
    return answer;
  };
  return {
    ...source,
    ask: retrying(answered, patienceMs, signal),
    cursor: typeof opening === 'string' ? opening : '',
    heartbeatMs,
    betweenMs,
    signal,
  };
}

function sourceOf(
  row: Operation,
  { caller, credential, request }: CallerCall & { readonly request: JsonObject },
  ask: WatchCall,
  { bus, hints, tails, sharesOpening }: WatchSources & Pick<WatchOptions, 'sharesOpening'>,
): Pick<ChangeSource, 'ask' | 'listen' | 'isPaged' | 'saysMore' | 'isAtHand'> {
  const { watch } = row;
  const own = (cursor: string) => ask(cursor, 'own');
  // A screen is sent whole, so no further page follows.
  if (watch === undefined || !('facts' in watch)) {
    return { ...paneSource(bus, String(request['agentId']), own), isPaged: false };
  }
  if (watch.shared === undefined) {
    return { ask: own, listen: (listener) => listenForOwn(hints, watch, caller, request, listener), isPaged: true };
  }
  const tail = tails.tailOf(row, watch, caller, withoutNarrowing(row, request));
  const shared = new SharedWatch({ tail, watch, caller, credential, request, sharesOpening, ask });
  return {
    ask: (cursor) => shared.ask(cursor),
    listen: (listener) => tail.listen(listener),
    isPaged: true,
    saysMore: watch.shared !== 'all',
    isAtHand: (cursor) => shared.isAtHand(cursor),
  };
}

/** Subscribes to facts about the agents that a request names, else about the caller. */
function listenForOwn(
  hints: FactHints,
  watch: FactWatch,
  caller: Caller,
  request: JsonObject,
  listener: () => void,
): Subscription {
  if (watch.about !== undefined) return listenAbout(hints, watch, request[watch.about], listener);
  const named = request['agentId'];
  const agentId = typeof named === 'string' && named !== '' ? named : caller.kind === 'agent' ? caller.agentId : '';
  return hints.listen(prefixOf(watch, request), (subjectId) => {
    if (subjectId === undefined || agentId === '' || subjectId === agentId) listener();
  });
}

/** Subscribes to facts about the listed agents; about any if none is listed. */
function listenAbout(hints: FactHints, { facts }: FactWatch, about: unknown, listener: () => void): Subscription {
  const ids = new Set(Array.isArray(about) ? about : []);
  return hints.listen(facts, (subjectId) => {
    if (subjectId === undefined || ids.size === 0 || ids.has(subjectId)) listener();
  });
}

function withoutNarrowing({ watch }: Operation, request: JsonObject): JsonObject {
  const by = watch !== undefined && 'facts' in watch ? (watch.narrowing?.by ?? []) : [];
  return Object.fromEntries(Object.entries(request).filter(([name]) => !by.includes(name)));
}
