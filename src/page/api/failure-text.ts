import { Code, ConnectError } from '@connectrpc/connect';
import { type ErrorDetail, failureWith, isFromMuster } from '#contract/details/failure-details.ts';
import type { Failure } from '#contract/failure.ts';
import type { FailureReason } from '#contract/reason/failure-reasons.ts';

/** The text of a failed read, in the service's words. */
export function failureText(error: unknown): string {
  if (isSignedOut(error)) return 'This browser is signed out: run `muster open`, and this page continues where it was';
  const { rawMessage } = ConnectError.from(error);
  if (isUnanswered(error)) return 'muster cannot be reached';
  if (isUndelivered(error)) return 'muster’s registry does not answer: try again in a moment';
  return rawMessage || 'It failed, without a reason';
}

/** The text of a failed act. If there was no answer, the act may have been done anyway, and the text says so. */
export function actFailureText(error: unknown): string {
  if (!isUnanswered(error)) return failureText(error);
  return 'muster did not answer: it may have been done, or not. Check before you do it again';
}

/** Whether a call was refused because this browser is not signed in. */
export function isSignedOut(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Unauthenticated;
}

/** Whether the requested name or id does not exist, or no longer exists. */
export function isUnknown(error: unknown): boolean {
  return ConnectError.from(error).code === Code.NotFound;
}

/** Whether repeating the same read may help. A refused request is refused again. */
export function mayRetry(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return isUnanswered(error) || code === Code.Unavailable || code === Code.DeadlineExceeded || code === Code.Internal;
}

/** Whether a call was refused for one of these reasons. */
export function isRefusedFor(error: unknown, ...reasons: readonly FailureReason[]): boolean {
  return refusalOf(error).isFor(...reasons);
}

/** The error of each field that a refusal names, by the field's path. */
export function wrongFields(error: unknown): ReadonlyMap<string, string> {
  return new Map(refusalOf(error).violations.map(({ field, description }) => [field, description]));
}

/** Whether no registry took the call from the gateway. */
function isUndelivered(error: unknown): boolean {
  return isRefusedFor(error, 'NOBODY_ANSWERS');
}

const unansweredCodes: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.DeadlineExceeded,
  Code.Internal,
  Code.Unknown,
]);

/** Whether muster did not answer, or not in time: the gateway says so, or the error has no reason of muster's. */
function isUnanswered(error: unknown): boolean {
  if (isRefusedFor(error, 'NO_ANSWER', 'BUS_UNAVAILABLE')) return true;
  // Thrown by a browser that cannot reach the gateway.
  if (error instanceof TypeError) return true;
  return error instanceof ConnectError && unansweredCodes.has(error.code) && !isFromMuster(detailsIn(error));
}

/** The reason, metadata and fields of an error. Its code is the error's own. */
function refusalOf(error: unknown): Failure {
  const { rawMessage } = ConnectError.from(error);
  return failureWith({ message: rawMessage, details: detailsIn(error) });
}

function detailsIn(error: unknown): ErrorDetail[] {
  return ConnectError.from(error).details.flatMap((detail) => ('type' in detail ? [detail] : []));
}
