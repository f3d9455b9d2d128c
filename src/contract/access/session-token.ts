/**
 * What a browser's session is known by: its token together with the RFC 7638 thumbprint of the key that the browser
 * keeps. No bearer token reads like it.
 */
export function boundToken(token: string, keyThumbprint: string): string {
  return `${token}\n${keyThumbprint}`;
}
