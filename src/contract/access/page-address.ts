import { isLoopbackAddress } from './loopback.ts';

/** The page's own name: browsers resolve every name under `localhost` to their own computer. */
const pageName = 'muster.localhost';

/** Whether browsers resolve a name to their own computer. */
export function isLocalhostName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * The origin at which browsers open the page. If the service's address is a loopback address, which it shares with
 * other programs on the computer, this is the page's own name; else the service's own origin.
 */
export function pageOrigin(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (isLoopbackAddress(url.hostname) && url.protocol === 'http:') url.hostname = pageName;
  return url.origin;
}

/** The query parameter of the page's address if an update of muster has ended the browser's session. */
export const signedOutBy = { name: 'signed-out', update: 'update' } as const;

/** The name of the HTML's meta element with the nonce for the page's first proof. */
export const proofNonceMeta = 'dpop-nonce';
