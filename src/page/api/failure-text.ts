import { Code, ConnectError } from '@connectrpc/connect';

/** What a question came to, in the service's own words. */
export function failureText(error: unknown): string {
  if (isSignedOut(error)) return 'This browser is signed out: run `muster open`, and this page goes on where it was';
  const { rawMessage } = ConnectError.from(error);
  if (isUnanswered(error)) return 'muster cannot be reached';
  return rawMessage || 'It failed, and nothing was said of why';
}

/** What an act came to. One that no answer came to may have been done all the same, and is not said to be undone. */
export function actFailureText(error: unknown): string {
  if (!isUnanswered(error)) return failureText(error);
  return 'No answer came from muster: it may have been done, or not. Look before you do it again';
}

/** Whether a call was refused because this browser is not signed in. */
export function isSignedOut(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Unauthenticated;
}

/** Whether the same question may be answered another time: what was refused is refused again. */
export function isWorthAskingAgain(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return isUnanswered(error) || code === Code.Unavailable || code === Code.DeadlineExceeded || code === Code.Internal;
}

/** Whether the browser got no answer at all: it says so in words of its own, and each browser in others. */
function isUnanswered(error: unknown): boolean {
  const { code, rawMessage } = ConnectError.from(error);
  return rawMessage === '' ? code === Code.Unavailable : /failed to fetch|networkerror|load failed/i.test(rawMessage);
}
