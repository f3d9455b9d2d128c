import type { JsonObject } from '@bufbuild/protobuf';
import { z } from 'zod';
import { parseRequest } from '#contract/parse.ts';
import { carriesNews, follow, type Watching } from '#gateway/rpc/watch.ts';

/** Seconds that a tool made of a watch waits where it is not told, and at most: clients commonly give up after 60. */
const usualSeconds = 30;
const mostSeconds = 50;

const Timeout = z.object({
  timeoutSeconds: z.int().min(1).max(mostSeconds, `is more than ${mostSeconds}: wait again, with the cursor`),
});

/** The argument that a watch takes as a tool beside its request's fields. */
export const timeoutArgument = {
  timeoutSeconds: { type: 'integer', minimum: 1, maximum: mostSeconds },
} as const;

/** What its description says beyond that of the operation. */
export const waitGuidance = `It waits for news, for timeoutSeconds at most (${usualSeconds} if left out); a cursor alone means that none came.`;

/**
 * How long to wait, in milliseconds, and the arguments that remain.
 * @throws Failure `invalid_argument`
 */
export function takeTimeout(given: JsonObject): { readonly timeoutMs: number; readonly rest: JsonObject } {
  const { timeoutSeconds, ...rest } = given;
  const wait = parseRequest(Timeout, { timeoutSeconds: timeoutSeconds === undefined ? usualSeconds : timeoutSeconds });
  return { timeoutMs: 1_000 * wait.timeoutSeconds, rest };
}

/** Follows what moves until there is news or the time is over; then the answer holds at most the cursor to go on from. */
export async function waitForNews(watching: Watching, timeoutMs: number): Promise<JsonObject> {
  const over = AbortSignal.any([watching.signal, AbortSignal.timeout(timeoutMs)]);
  let last: JsonObject = watching.cursor === '' ? {} : { cursor: watching.cursor };
  for await (const message of follow({ ...watching, signal: over })) {
    if (carriesNews(message)) return message;
    last = message;
  }
  return last;
}
