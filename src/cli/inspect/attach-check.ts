import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The origin that may attach by default, besides those of this computer. */
export const statelyOrigin = 'https://stately.ai';

/** A random path that cannot be guessed. */
export function secretPath(): string {
  return `/${randomBytes(24).toString('base64url')}`;
}

/** Why a request to attach is refused, as the code and reason of a status line; undefined if it is accepted. */
export function refusalOf(
  { url, headers }: IncomingMessage,
  path: string,
  origins: readonly string[] | undefined,
): string | undefined {
  if (!isSame(url ?? '', path)) return '404 Not Found';
  return mayAttach(headers.origin, origins) ? undefined : '403 Forbidden';
}

/** Refuses a request to attach. */
export function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Whether a page from this origin may attach. A program sends no origin; a page always does, and cannot choose it. */
function mayAttach(origin: string | undefined, origins: readonly string[] | undefined): boolean {
  if (origin === undefined) return true;
  if (origins !== undefined) return origins.includes(origin);
  return origin === statelyOrigin || /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(origin);
}

function isSame(said: string, path: string): boolean {
  const [one, other] = [said, path].map((text) => createHash('sha256').update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
