import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The pages that may attach besides those of this machine, if none are named. */
export const statelyOrigin = 'https://stately.ai';

/** A path that nobody guesses. */
export function secretPath(): string {
  return `/${randomBytes(24).toString('base64url')}`;
}

/**
 * What is answered to a request to attach that is refused, as a status line's code and reason; undefined if it is let
 * in.
 */
export function refusalOf(
  { url, headers }: IncomingMessage,
  path: string,
  origins: readonly string[] | undefined,
): string | undefined {
  if (!isSame(url ?? '', path)) return '404 Not Found';
  return isWelcome(headers.origin, origins) ? undefined : '403 Forbidden';
}

/** Ends a request to attach with a refusal. */
export function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** A program names no origin; a page always does, and cannot choose which. */
function isWelcome(origin: string | undefined, origins: readonly string[] | undefined): boolean {
  if (origin === undefined) return true;
  if (origins !== undefined) return origins.includes(origin);
  return origin === statelyOrigin || /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin);
}

function isSame(said: string, path: string): boolean {
  const [one, other] = [said, path].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
