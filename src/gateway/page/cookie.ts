import type { IncomingMessage, RequestListener } from 'node:http';

/** How the token of a browser's session begins: no other token is taken from a cookie. */
const sessionToken = /^mss_[A-Za-z0-9_-]{43}$/;

/** What a cookie of this gateway is called: cookies know no ports, and two gateways of one machine must not share one. */
export function cookieName(port: number, encrypted: boolean): string {
  return `${encrypted ? '__Host-' : ''}muster_${port}`;
}

/**
 * Puts the session's token of a signed-in browser where every other caller's token stands, before anything else looks at a
 * request. A cookie counts only where the browser itself says that our own page sent the request: never from another site,
 * another port of this machine, an address that was typed, or a frame; and never at /mcp, where no page calls.
 */
export function readingCookies(listener: RequestListener): RequestListener {
  return (request, response) => {
    const token = request.headers.authorization === undefined ? tokenIn(request) : undefined;
    if (token !== undefined && isOwnPages(request)) request.headers.authorization = `Bearer ${token}`;
    listener(request, response);
  };
}

function tokenIn(request: IncomingMessage): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined || /^\/mcp(?:[/?]|$)/.test(request.url ?? '')) return undefined;
  const name = `${cookieName(request.socket.localPort ?? 0, isEncrypted(request))}=`;
  const found = cookie.split('; ').filter((one) => one.startsWith(name));
  const [token] = found.map((one) => one.slice(name.length));
  return found.length === 1 && token !== undefined && sessionToken.test(token) ? token : undefined;
}

/** Browsers that say nothing of the site say the origin of a call that may change anything. */
function isOwnPages(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const authority = request.headers[':authority'] ?? host;
  return origin !== undefined && origin === `${isEncrypted(request) ? 'https' : 'http'}://${authority}`;
}

/** Whether a request came over TLS. */
export function isEncrypted({ socket }: IncomingMessage): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}
