import { Failure } from '#contract/failure.ts';
import type { FailureReason } from '#contract/reason/failure-reasons.ts';
import type { ForgeError, ForgeErrorKind } from '#world/forge/forge-error.ts';

/** The reason that callers get for each kind of forge error. */
const reasons = {
  not_found: 'FORGE_ANSWER_NOT_FOUND',
  credential_refused: 'FORGE_REFUSED',
  rate_limited: 'FORGE_RATE_LIMITED',
  timeout: 'FORGE_TIMED_OUT',
  unreachable: 'FORGE_UNAVAILABLE',
  server: 'FORGE_UNAVAILABLE',
  malformed: 'FORGE_UNAVAILABLE',
  refused_address: 'FORGE_REFUSED',
  bad_cursor: 'FORGE_CURSOR_INVALID',
} as const satisfies Readonly<Record<ForgeErrorKind, FailureReason>>;

/** Converts a forge's error for a caller; the message says when to try again. */
export function forgeFailure({ kind, message, retryAt }: ForgeError): Failure {
  const again = retryAt === undefined ? '' : `; it accepts requests again from ${new Date(retryAt).toISOString()}`;
  return new Failure(reasons[kind], `${message}${again}`);
}
