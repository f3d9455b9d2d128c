import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';
import { failureCodes } from '#contract/reason/failure-code.ts';
import type { CliIo } from './io.ts';

/** Milliseconds between attempts: they double from `first` up to `longest`. */
const pause = { first: 500, longest: 5_000 } as const;

/** Gets the failure of each attempt to reconnect, and undefined once the watch is back. */
export type OnLost = (why: Failure | undefined) => void;

interface FollowOptions {
  /** The cursor to start from. */
  readonly from?: string | undefined;
  /** Whether to wait for an unreachable service on the first attempt, too, and not only after it has answered. */
  readonly retriesFirst?: boolean;
  /** By default, the loss is reported on standard error. */
  readonly onLost?: OnLost;
  /**
   * Called when the log no longer continues from the cursor, so that the watch restarts without one. Facts that were
   * already received may have been undone.
   */
  readonly onRestart?: () => void;
}

/**
 * Follows a watch across restarts of the service. When the stream ends or breaks, it is reopened from its last cursor,
 * or without one if the log no longer continues from there.
 * @throws Failure when the watch cannot be opened at first, or is refused
 */
export async function* follow<Response extends { readonly cursor?: string | undefined }>(
  io: CliIo,
  open: (cursor: string | undefined) => AsyncIterable<Response>,
  { from, retriesFirst = false, onLost = reportOnce(io), onRestart }: FollowOptions = {},
): AsyncGenerator<Response, void> {
  let cursor = from;
  let opened = retriesFirst;
  let lost = false;
  let reported = false;
  for (let fails = 0; !io.signal?.aborted; fails++) {
    try {
      for await (const response of open(cursor)) {
        if (lost) onLost(undefined);
        lost = false;
        opened = true;
        fails = 0;
        cursor = response.cursor ?? cursor;
        reported = true;
        yield response;
      }
    } catch (error) {
      if (reported && cursor !== undefined && error instanceof Failure && error.code === 'out_of_range') {
        cursor = undefined;
        io.stderr.write('the events in between are no longer stored: continuing with new ones\n');
        onRestart?.();
        continue;
      }
      if (!opened || !(error instanceof Failure) || !failureCodes[error.code].retry) throw error;
      lost = true;
      onLost(error);
    }
    await pauseFor(Math.min(pause.first * 2 ** fails, pause.longest), io.signal);
  }
}

function reportOnce({ stderr }: CliIo): OnLost {
  let reported = false;
  return (why) => {
    if (why === undefined) stderr.write('muster is back\n');
    else if (!reported) stderr.write(`${why.message}; trying again until it is back\n`);
    reported = why !== undefined;
  };
}

/**
 * Repeats a call while the service is unreachable, until it answers or the signal aborts.
 * @throws Failure when refused
 */
export async function retry<Answer>({ signal }: Pick<CliIo, 'signal'>, ask: () => Promise<Answer>): Promise<Answer> {
  for (let fails = 0; ; fails++) {
    try {
      return await ask();
    } catch (error) {
      if (signal?.aborted || !(error instanceof Failure) || !failureCodes[error.code].retry) throw error;
    }
    await pauseFor(Math.min(pause.first * 2 ** fails, pause.longest), signal);
  }
}

async function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await delay(milliseconds, undefined, signal && { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
