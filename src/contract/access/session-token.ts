/**
 * The identity of a browser's session: its token and the RFC 7638 thumbprint of the key that the browser keeps. No
 * bearer token can have this form.
 */
export function boundToken(token: string, keyThumbprint: string): string {
  return `${token}\n${keyThumbprint}`;
}
