import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';

/**
 * How many connections may wait to be taken. One more gets no answer, but tries again after a second, then three: under
 * load, node takes one in each turn of its loop.
 */
const backlog = 4_096;
/** How often any free port is looked for that is free at every address. */
const maxTries = 20;
/** When the system begins to ask whether a silent peer is still there, in milliseconds. */
const keepAliveAfter = 30_000;
/** What a machine says that has no such address, as one without IPv6: then nobody else has it either. */
const noAddress = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/** Where a gateway listens; the first address has to be there. */
type Addresses = readonly [string, ...string[]];

/**
 * Has a server listen on one port at all of the addresses that the machine has, or at none of them. Port 0 finds one
 * that is free at all. Returns what ends the listening at the addresses after the first, and settles once their
 * connections are gone.
 * @throws FAILED_PRECONDITION when somebody else has the port at one of them.
 */
export async function listen(app: FastifyInstance, addresses: Addresses, port: number): Promise<() => Promise<void>> {
  const [first, ...others] = addresses;
  const servers = others.map(() => passingOn(app.server));
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

/** A server that hands its connections to another one, as if they had come there. */
function passingOn(server: Server): Server {
  // As servers of HTTP and of HTTPS have them themselves.
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

/** A port that was free at all addresses a moment ago; 0 if there are no others than the first. */
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

/** Closes a server, which may not listen. */
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
