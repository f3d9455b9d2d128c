import type { JsonObject } from '@bufbuild/protobuf';
import { z } from 'zod';
import { parseRequest } from '#contract/parse/parse.ts';
import { follow, hasChanges, type Watching } from '#gateway/rpc/watch.ts';

/** Seconds that a tool made of a watch waits by default, and at most: clients commonly give up after 60. */
const defaultSeconds = 30;
const maxSeconds = 50;

const Timeout = z.object({
  timeoutSeconds: z.int().min(1).max(maxSeconds, `is more than ${maxSeconds}: wait again, with the cursor`),
});

/** The argument that a watch takes as a tool beside its request's fields. */
export const timeoutArgument = {
  timeoutSeconds: { type: 'integer', minimum: 1, maximum: maxSeconds },
} as const;

/** What its description says beyond that of the operation. */
export const waitGuidance = `Waits for changes, up to timeoutSeconds (default ${defaultSeconds}); a cursor alone: none came.`;

/**
 * How long to wait, in milliseconds, and the arguments that remain.
 * @throws INVALID_ARGUMENT
 */
export function takeTimeout(given: JsonObject): { readonly timeoutMs: number; readonly rest: JsonObject } {
  const { timeoutSeconds, ...rest } = given;
  const wait = parseRequest(Timeout, {
    timeoutSeconds: timeoutSeconds === undefined ? defaultSeconds : timeoutSeconds,
  });
  return { timeoutMs: 1_000 * wait.timeoutSeconds, rest };
}

/**
 * Follows what moves until there is news or the time is over; then the one answer holds at most the cursor to continue
 * from.
 */
export async function* waitForChange(watching: Watching, timeoutMs: number): AsyncGenerator<JsonObject> {
  const over = AbortSignal.any([watching.signal, AbortSignal.timeout(timeoutMs)]);
  let last: JsonObject = watching.cursor === '' ? {} : { cursor: watching.cursor };
  for await (const message of follow({ ...watching, signal: over })) {
    last = message;
    if (hasChanges(message)) break;
  }
  yield last;
}
