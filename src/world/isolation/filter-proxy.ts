import { createServer, type Socket } from 'node:net';
import { createHttpProxyServer } from '@anthropic-ai/sandbox-runtime/dist/sandbox/http-proxy.js';
import { canonicalizeHost, resolveParentProxy } from '@anthropic-ai/sandbox-runtime/dist/sandbox/parent-proxy.js';
import { createResolvedAddressGuard } from '@anthropic-ai/sandbox-runtime/dist/sandbox/resolved-address-guard.js';
import { createSocksProxyServer } from '@anthropic-ai/sandbox-runtime/dist/sandbox/socks-proxy.js';
import { type Destination, isNamed, isOwnMachine } from './host-filter.ts';
import type { Listener } from './socket-folder.ts';

/** What a filtering proxy lets through. */
export interface ProxyPolicy {
  /** The names that a person granted: they may also be of machines in a private network. */
  readonly granted: readonly string[];
  /** The model hosts of CLIs: only public addresses. */
  readonly models: readonly string[];
}

export interface FilterProxyOptions {
  /** Asked for each connection, so that a change counts at once. */
  readonly policy: () => ProxyPolicy;
  /** Called with each destination that was refused. */
  readonly onRefused: (destination: Destination) => void;
  /** The proxy of the person's own environment, through which permitted connections go. */
  readonly parent: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string };
}

/** Addresses of private networks. Loopback, link-local and metadata addresses are refused by the library. */
const privateNetworks = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7'];

/** The first byte of a SOCKS5 greeting; requests of HTTP begin with a letter. */
const socks = 0x05;
const firstByteWithinMs = 10_000;

/**
 * Makes a proxy for HTTP and SOCKS5 that connects only to permitted destinations. A permitted name that resolves to a loopback, link-local
 * or metadata address is refused as well.
 */
export function filterProxy({ policy, onRefused, parent }: FilterProxyOptions): Listener {
  const filter = (port: number, host: string): boolean => {
    const { granted, models } = policy();
    const known = canonicalizeHost(host);
    const isPermitted =
      known !== undefined && !isOwnMachine(known) && isNamed({ host: known, port }, [...granted, ...models]);
    if (!isPermitted) onRefused({ host, port });
    return isPermitted;
  };
  const lookupFor = (port: number) => {
    const { granted } = policy();
    const anywhere = createResolvedAddressGuard().lookupFor(port);
    const publicOnly = createResolvedAddressGuard({ deniedResolvedAddresses: privateNetworks }).lookupFor(port);
    return ((host, options, callback) => {
      const lookup = isNamed({ host, port }, granted) ? anywhere : publicOnly;
      lookup(host, options, callback);
    }) satisfies typeof anywhere;
  };
  const parentProxy = resolveParentProxy(parent);
  const shared = { filter, lookupFor, ...(parentProxy && { parentProxy }) };
  const http = createHttpProxyServer(shared);
  const socks5 = createSocksProxyServer(shared);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    client.setTimeout(firstByteWithinMs, () => client.destroy());
    client.once('readable', () => {
      const first: unknown = client.read(1);
      if (!(first instanceof Buffer)) return client.destroy();
      client.setTimeout(0).removeAllListeners('timeout');
      client.unshift(first);
      return first[0] === socks ? socks5.handleConnection(client) : http.emit('connection', client);
    });
  });
  return {
    server,
    async close() {
      for (const client of open) client.destroy();
      server.close();
      http.closeAllConnections();
      await socks5.close();
    },
  };
}
