import { Failure } from '#contract/failure.ts';
import type { Operation } from '#contract/operation.ts';
import { releaseSlot } from '#gateway/http/admission.ts';
import type { LiveCredentials } from '#gateway/http/live-credentials.ts';
import type { OpenStreams } from '#gateway/http/open-streams.ts';
import type { CallerCall } from '#gateway/rpc/ask.ts';
import { betweenMsOf, type ChangeSource } from './watch.ts';
import { type WatchSources, watchingOf } from './watching.ts';

/** The dependencies of opening watches. */
export interface WatchService extends WatchSources {
  readonly streams: OpenStreams;
  readonly live: LiveCredentials;
  /** Ends every watch. */
  readonly stopping: AbortSignal;
}

/** The channel of a watch, and its lifetime. */
interface WatchPlace {
  readonly address: string;
  readonly signal: AbortSignal;
  /** Whether it may start with a list that another watch just got. A call that ends with its first answer may not. */
  readonly sharesOpening: boolean;
}

/**
 * Opens a watch for a caller. It counts as one of the caller's streams until it is closed or `signal` aborts. When the
 * token is revoked, the watch fails with that failure.
 * @throws RESOURCE_EXHAUSTED when the token has too many streams open
 */
export async function* openWatch<T>(
  row: Operation,
  call: CallerCall,
  { address, signal, sharesOpening }: WatchPlace,
  service: WatchService,
  read: (watching: ChangeSource) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const { streams, live, stopping } = service;
  const leave = streams.enter(call.credential);
  const held = live.hold(call.credential);
  try {
    releaseSlot();
    const ending = AbortSignal.any([signal, stopping, held.ended]);
    const shows = row.watch !== undefined && 'facts' in row.watch ? 'list' : 'screen';
    const betweenMs = () => betweenMsOf(streams.open, shows);
    yield* read(watchingOf(row, call, { ...service, betweenMs, address, held, sharesOpening, signal: ending }));
    if (held.ended.aborted && held.ended.reason instanceof Failure) throw held.ended.reason;
  } finally {
    held.release();
    leave();
  }
}
