import type { JsonObject } from '@bufbuild/protobuf';
import { z } from 'zod';
import { parseRequest } from '#contract/parse/parse.ts';
import { type ChangeSource, follow, hasChanges } from '#gateway/rpc/watch/watch.ts';

/** How long the tool of a watch waits, in seconds: by default, and at most. Clients commonly time out after 60. */
const defaultSeconds = 30;
const maxSeconds = 50;

const Timeout = z.object({
  timeoutSeconds: z.int().min(1).max(maxSeconds, `is more than ${maxSeconds}: wait again, with the cursor`),
});

/** The additional argument of a watch's tool. */
export const timeoutArgument = {
  timeoutSeconds: { type: 'integer', minimum: 1, maximum: maxSeconds },
} as const;

/** The addition to the description of a watch's tool. */
export const waitGuidance = `Waits for changes, up to timeoutSeconds (default ${defaultSeconds}); a cursor alone: none came.`;

/**
 * Splits the arguments into the time to wait, in milliseconds, and the rest.
 * @throws INVALID_ARGUMENT
 */
export function takeTimeout(given: JsonObject): { readonly timeoutMs: number; readonly rest: JsonObject } {
  const { timeoutSeconds, ...rest } = given;
  const wait = parseRequest(Timeout, {
    timeoutSeconds: timeoutSeconds === undefined ? defaultSeconds : timeoutSeconds,
  });
  return { timeoutMs: 1_000 * wait.timeoutSeconds, rest };
}

/** Follows a watch until something changes or the time is over. In the latter case, the answer has at most a cursor. */
export async function* waitForChange(watching: ChangeSource, timeoutMs: number): AsyncGenerator<JsonObject> {
  const over = AbortSignal.any([watching.signal, AbortSignal.timeout(timeoutMs)]);
  let last: JsonObject = watching.cursor === '' ? {} : { cursor: watching.cursor };
  for await (const message of follow({ ...watching, signal: over })) {
    last = message;
    if (hasChanges(message)) break;
  }
  yield last;
}
