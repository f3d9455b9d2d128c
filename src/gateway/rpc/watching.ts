import type { JsonObject } from '@bufbuild/protobuf';
import { onPaneBell } from '#bus/bells.ts';
import type { Bus, Subscription } from '#bus/bus.ts';
import { onFacts } from '#bus/facts.ts';
import type { Operation } from '#contract/operation.ts';
import { retrying } from '#gateway/http/retrying.ts';
import type { UnauthenticatedThrottle } from '#gateway/http/unauthenticated-throttle.ts';
import { askOperation, type OperationCall } from './ask.ts';
import type { Watching } from './watch.ts';

/** How long the registry may take to answer a watch's question, in milliseconds. */
const watchAskMs = 10_000;

/** What a watch knows of its gateway and its caller. */
export interface WatchOptions {
  readonly bus: Bus;
  /** How long a watch may say nothing, in milliseconds. */
  readonly heartbeatMs: number;
  /** How long a watch waits for a registry that went away, in milliseconds. */
  readonly patienceMs: number;
  readonly throttle: UnauthenticatedThrottle;
  /** Where the caller calls from. */
  readonly address: string;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/**
 * What a watch of an operation is made of: a patient question to the registry, and the facts after which it is asked
 * again.
 */
export function watchingOf(
  row: Operation,
  { credential, request }: OperationCall,
  { bus, heartbeatMs, patienceMs, throttle, address, signal }: WatchOptions,
): Watching {
  const opening = request as JsonObject;
  const ask = (cursor: string): Promise<JsonObject> => {
    const asked = cursor === '' ? opening : { ...opening, cursor };
    return throttle.admit(address, () => askOperation(bus, row, { credential, request: asked }, watchAskMs));
  };
  return {
    ask: retrying(ask, patienceMs, signal),
    listen: (listener) => hear(bus, row, opening, listener),
    isPaged: !isOfPane(row),
    cursor: typeof opening['cursor'] === 'string' ? opening['cursor'] : '',
    heartbeatMs,
    signal,
  };
}

/** What a pane shows is sent whole: nothing is left to be asked for. */
function isOfPane({ watch }: Operation): boolean {
  return watch !== undefined && 'bell' in watch;
}

function hear(bus: Bus, { watch }: Operation, request: JsonObject, listener: () => void): Subscription {
  if (watch === undefined || !('facts' in watch)) return onPaneBell(bus, String(request['agentId']), listener);
  const more = watch.more === undefined ? undefined : request[watch.more];
  return onFacts(bus, Array.isArray(more) && more.length > 0 ? '' : watch.facts, () => listener());
}
