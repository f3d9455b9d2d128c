import { isLoopbackAddress } from './loopback.ts';

/** The name that the page has to itself: browsers lead every name under `localhost` to their own machine. */
const pageName = 'muster.localhost';

/** Whether browsers lead a name to their own machine, by whatever port a tunnel has there. */
export function isLocalhostName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/**
 * Where browsers open the page of a service, as an origin: at its own name if the service is known by a loopback
 * address alone, which it shares with whatever else runs on the machine; else where the service is known.
 */
export function pageOrigin(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (isLoopbackAddress(url.hostname) && url.protocol === 'http:') url.hostname = pageName;
  return url.origin;
}

/** What the page's address says to a browser whose session an update of muster has ended. */
export const signedOutBy = { name: 'signed-out', update: 'update' } as const;

/** Where the HTML of an answer holds the nonce for the page's first proof. */
export const proofNonceMeta = 'dpop-nonce';
