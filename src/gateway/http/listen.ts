import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';

/**
 * How many connections may wait to be accepted. Further ones get no answer and retry after one second, then three.
 * Under load, node accepts one connection in each turn of its loop.
 */
const backlog = 4_096;
/** How many attempts there are to find a port that is free at every address. */
const maxTries = 20;
/** After how long a silent connection gets TCP keep-alive probes, in milliseconds. */
const keepAliveAfter = 30_000;
/**
 * Errors of a computer that does not have the address, such as one without IPv6: then no other program has it either.
 */
const noAddress = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** The addresses of a gateway. The first one must exist. */
type Addresses = readonly [string, ...string[]];

/**
 * Lets a server listen on one port at all of the addresses that the computer has, or at none. Port 0 means a port that
 * is free at all. Returns a function that closes the addresses after the first; it resolves once their connections are
 * gone.
 * @throws FAILED_PRECONDITION when another program has the port at one of them
 */
export async function listen(app: FastifyInstance, addresses: Addresses, port: number): Promise<() => Promise<void>> {
  const [first, ...others] = addresses;
  const servers = others.map(() => forwardingServer(app.server));
  const close = async () => void (await Promise.all(servers.map(closed)));
  try {
    const free = port === 0 ? await freePort(addresses) : port;
    await app.ready();
    for (const [index, address] of others.entries()) await listenAt(servers[index], address, free);
    await app.listen({ host: first, port: free, backlog }).catch((error) => refuse(error, first, free));
    return close;
  } catch (error) {
    await Promise.all([app.close(), close()]);
    throw error;
  }
}

/** A server that passes its connections to another server. */
function forwardingServer(server: Server): Server {
  // The same option as that server itself has.
  const allowHalfOpen = !(server instanceof TlsServer);
  const options = { allowHalfOpen, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveAfter };
  return createServer(options, (socket: Socket) => server.emit('connection', socket));
}

async function listenAt(server: Server | undefined, host: string, port: number): Promise<void> {
  try {
    server?.listen({ host, port, backlog });
    if (server !== undefined) await once(server, 'listening');
  } catch (error) {
    if (!noAddress.has(codeOf(error))) refuse(error, host, port);
  }
}

/** A port that was just free at all addresses; 0 if there is only one address. */
async function freePort([first, ...others]: Addresses): Promise<number> {
  if (others.length === 0) return 0;
  for (let tries = 1; ; tries += 1) {
    const probe = createServer();
    const rest = others.map(() => createServer());
    try {
      await listenAt(probe, first, 0);
      const { port } = probe.address() as AddressInfo;
      for (const [index, address] of others.entries()) await listenAt(rest[index], address, port);
      return port;
    } catch (error) {
      if (tries === maxTries) throw error;
    } finally {
      await Promise.all([probe, ...rest].map(closed));
    }
  }
}

/** Closes a server, which may not be listening. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function refuse(error: unknown, address: string, port: number): never {
  if (codeOf(error) !== 'EADDRINUSE') throw error;
  throw new Failure(
    'PORT_TAKEN',
    `Port ${port} on ${address} is taken by another program, which browsers may mistake for muster: end it, or set MUSTER_PORT to another port`,
    { cause: error },
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
