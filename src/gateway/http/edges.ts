import { isIP, isIPv6 } from 'node:net';
import { isLocalhostName, pageOrigin } from '#contract/access/page-address.ts';
import { Failure } from '#contract/failure.ts';

/** The parts of a request that show which address it was sent to, and from which page. */
export interface RequestOrigin {
  /** The Host header, or HTTP/2's authority. */
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** The local address of the connection. */
  readonly localAddress: string | undefined;
  readonly localPort: number | undefined;
  readonly encrypted: boolean;
}

const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?$/i;
const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses a request that another web page may have sent: one whose Host is not a name of this server (any name can be
 * made to resolve to it), or that comes from another origin. Undefined if the request may pass. `baseUrl` is the
 * server's public address; most requests pass without it.
 */
export function originRefusal(request: RequestOrigin, baseUrl: () => string): Failure | undefined {
  const scheme = request.encrypted ? 'https' : 'http';
  const host = request.host?.toLowerCase() ?? '';
  if (!isAddressed(request, host) && !isPublic(host, baseUrl())) {
    return new Failure(
      'HOST_NAME_NOT_ALLOWED',
      `${JSON.stringify(host)} is not a name of this server: call it at ${new URL(baseUrl()).origin}`,
    );
  }
  const { origin } = request;
  if (origin === undefined || origin === `${scheme}://${host}`) return undefined;
  if (origin === new URL(baseUrl()).origin && !hasOwnPageName(baseUrl())) return undefined;
  return new Failure('ORIGIN_NOT_ALLOWED', `A page of ${JSON.stringify(origin)} may not call this server`);
}

/** Whether a Host header names the address and port at which the request arrived. */
function isAddressed({ localAddress = '', localPort, encrypted }: RequestOrigin, host: string): boolean {
  const [, name = '', port] = hostForm.exec(host) ?? [];
  if (Number(port ?? (encrypted ? 443 : 80)) !== localPort) return false;
  return loopbackNames.includes(name) || name === bracketed(localAddress);
}

/** Whether a Host header names the server's public address, or its page. */
function isPublic(host: string, baseUrl: string): boolean {
  return host === new URL(baseUrl).host || isNamed(host, pageOrigin(baseUrl));
}

/**
 * The origin of the page for a request, as its browser sees it; undefined if the page has its own name and the request
 * used another one. If the service has a configured name, that is the page's, whatever Host a proxy sends.
 */
export function pageOriginOf({ host = '', encrypted }: RequestOrigin, baseUrl: string): string | undefined {
  const page = new URL(pageOrigin(baseUrl));
  const given = host.toLowerCase();
  // A service without a configured name has the names of its certificate.
  if (encrypted && isIP(page.hostname.replace(/^\[|\]$/g, '')) !== 0) return `https://${given}`;
  if (isNamed(given, page.origin) && isLocalhostName(page.hostname)) return `${page.protocol}//${given}`;
  return hasOwnPageName(baseUrl) ? undefined : page.origin;
}

/** Whether the page has another name than the service. */
function hasOwnPageName(baseUrl: string): boolean {
  return pageOrigin(baseUrl) !== new URL(baseUrl).origin;
}

/** Whether a Host header names the page. Under `localhost` any port may be that of a tunnel or container. */
function isNamed(host: string, page: string): boolean {
  const known = new URL(page);
  const [, name = ''] = hostForm.exec(host) ?? [];
  return host === known.host || (isLocalhostName(known.hostname) && name === known.hostname);
}

/** An address in the form of a Host header. */
export function bracketed(address: string): string {
  const plain = address.replace(/^::ffff:(?=[0-9.]+$)/, '');
  return isIPv6(plain) ? `[${plain}]` : plain;
}
