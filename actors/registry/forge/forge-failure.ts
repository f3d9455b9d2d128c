import { Failure, type FailureCode } from '#contract/failure.ts';
import type { ForgeError, ForgeErrorKind } from '#world/forge/forge-error.ts';

/** How each thing that goes wrong with a forge is told to a caller. */
const codes: Readonly<Record<ForgeErrorKind, FailureCode>> = {
  not_found: 'not_found',
  credential_refused: 'failed_precondition',
  rate_limited: 'unavailable',
  timeout: 'deadline_exceeded',
  unreachable: 'unavailable',
  server: 'unavailable',
  malformed: 'unavailable',
  refused_address: 'failed_precondition',
  bad_cursor: 'invalid_argument',
};

/** A forge's error as a caller is told it; when the forge may be asked again is part of the message. */
export function forgeFailure({ kind, message, retryAt }: ForgeError): Failure {
  const again = retryAt === undefined ? '' : `; it may be asked again from ${new Date(retryAt).toISOString()}`;
  return new Failure(codes[kind], `${message}${again}`);
}
