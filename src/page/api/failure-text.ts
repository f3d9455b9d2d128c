import { Code, ConnectError } from '@connectrpc/connect';

/** What an act or a question came to, in the service's own words. */
export function failureText(error: unknown): string {
  const { code, rawMessage } = ConnectError.from(error);
  if (code === Code.Unavailable || /failed to fetch|network/i.test(rawMessage)) {
    return rawMessage && !/fetch|network/i.test(rawMessage) ? rawMessage : 'muster cannot be reached: nothing was done';
  }
  return rawMessage || 'It failed, and nothing was said of why';
}

/** Whether a call was refused because this browser is not signed in. */
export function isSignedOut(error: unknown): boolean {
  return ConnectError.from(error).code === Code.Unauthenticated;
}
