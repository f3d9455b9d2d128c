import { Code, ConnectError } from '@connectrpc/connect';

/** What a question came to, in the service's own words. */
export function failureText(error: unknown): string {
  if (isSignedOut(error)) return 'This browser is signed out: run `muster open`, and this page goes on where it was';
  const { rawMessage } = ConnectError.from(error);
  if (isUnanswered(error)) return 'muster cannot be reached';
  if (isUndelivered(error)) return 'muster’s registry is away: try again in a moment';
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

/** Whether the gateway found nobody to hand the call to. */
function isUndelivered(error: unknown): boolean {
  return ConnectError.from(error).rawMessage.startsWith('Nobody answers on ');
}

/**
 * Whether no answer came at all, or none in time: of the browser, which says so in words of its own and each in others, or of
 * the gateway, which says where on the bus it waited.
 */
function isUnanswered(error: unknown): boolean {
  const { code, rawMessage } = ConnectError.from(error);
  if (/^(?:No answer on|The bus cannot be reached for) /.test(rawMessage)) return true;
  return rawMessage === '' ? code === Code.Unavailable : /failed to fetch|networkerror|load failed/i.test(rawMessage);
}
