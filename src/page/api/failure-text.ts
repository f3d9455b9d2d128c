import { Code, ConnectError } from '@connectrpc/connect';
import { type ErrorDetail, failureWith, isFromMuster } from '#contract/details/failure-details.ts';
import type { Failure } from '#contract/failure.ts';
import type { FailureReason } from '#contract/reason/failure-reasons.ts';

/** What a question came to, in the service's own words. */
export function failureText(error: unknown): string {
  if (isSignedOut(error)) return 'This browser is signed out: run `muster open`, and this page continues where it was';
  const { rawMessage } = ConnectError.from(error);
  if (isUnanswered(error)) return 'muster cannot be reached';
  if (isUndelivered(error)) return 'muster’s registry does not answer: try again in a moment';
  return rawMessage || 'It failed, without a reason';
}

/** What an act came to. One that no answer came to may have been done anyway, and is not said to be undone. */
export function actFailureText(error: unknown): string {
  if (!isUnanswered(error)) return failureText(error);
  return 'muster did not answer: it may have been done, or not. Check before you do it again';
}

/** Whether a call was refused because this browser is not signed in. */
export function isSignedOut(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Unauthenticated;
}

/** Whether there is nothing of the name or id that was asked about, or no longer. */
export function isUnknown(error: unknown): boolean {
  return ConnectError.from(error).code === Code.NotFound;
}

/** Whether the same question may be answered another time: what was refused is refused again. */
export function isWorthAskingAgain(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return isUnanswered(error) || code === Code.Unavailable || code === Code.DeadlineExceeded || code === Code.Internal;
}

/** Whether something was refused for one of these reasons. */
export function isRefusedFor(error: unknown, ...reasons: readonly FailureReason[]): boolean {
  return refusalOf(error).isFor(...reasons);
}

/** What is wrong with each field of the request that a refusal names, by the field's path. */
export function wrongFields(error: unknown): ReadonlyMap<string, string> {
  return new Map(refusalOf(error).violations.map(({ field, description }) => [field, description]));
}

/** Whether the gateway found nobody to hand the call to. */
function isUndelivered(error: unknown): boolean {
  return isRefusedFor(error, 'NOBODY_ANSWERS');
}

const unheard: ReadonlySet<Code> = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Internal, Code.Unknown]);

/**
 * Whether no answer of muster's came at all, or none in time: the gateway says so, or nobody gives a reason of
 * muster's.
 */
function isUnanswered(error: unknown): boolean {
  if (isRefusedFor(error, 'NO_ANSWER', 'BUS_UNAVAILABLE')) return true;
  // What a browser throws if it reaches nobody.
  if (error instanceof TypeError) return true;
  return error instanceof ConnectError && unheard.has(error.code) && !isFromMuster(detailsIn(error));
}

/** Its reason, metadata and fields; its code is the error's own. */
function refusalOf(error: unknown): Failure {
  const { rawMessage } = ConnectError.from(error);
  return failureWith({ message: rawMessage, details: detailsIn(error) });
}

function detailsIn(error: unknown): ErrorDetail[] {
  return ConnectError.from(error).details.flatMap((detail) => ('type' in detail ? [detail] : []));
}
