import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { Failure } from '#contract/failure.ts';

/** The error codes of a machine without such an address, for example without IPv6. */
const noAddress = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);
/** How many times to look for a port that is free at every address. */
const maxTries = 20;
/**
 * The range in which to look for a port. No system assigns these ports to outgoing connections, so that a free port
 * stays free for a while even if many programs connect.
 */
const [lowest, highest] = [20_000, 30_000];

/** A free port, or the address at which it is taken. */
export type PortResult = { readonly port: number } | { readonly takenAt: string };

/**
 * Checks whether a TCP port is free at all of the addresses that this machine has. The first address must exist. For
 * port 0, finds a port that is free. Another program may still take the port after this returns.
 * @throws FAILED_PRECONDITION when the port is not taken but still cannot be listened on
 */
export async function findPort(addresses: readonly [string, ...string[]], port: number): Promise<PortResult> {
  for (let tries = 1; ; tries += 1) {
    const found = await tryAll(addresses, port);
    if ('port' in found || port !== 0 || tries === maxTries) return found;
  }
}

async function tryAll([first, ...others]: readonly [string, ...string[]], port: number): Promise<PortResult> {
  const free = await tryOne(first, port === 0 ? randomInt(lowest, highest) : port);
  if (free === 'taken') return { takenAt: first };
  if (typeof free !== 'number') throw refused(first, port, free);
  for (const address of others) {
    const one = await tryOne(address, free);
    if (one === 'taken') return { takenAt: address };
    const isMissing = typeof one !== 'number' && noAddress.has(codeOf(one));
    if (typeof one !== 'number' && !isMissing) throw refused(address, free, one);
  }
  return { port: free };
}

async function tryOne(address: string, port: number): Promise<number | 'taken' | Error> {
  const server = createServer();
  try {
    server.listen({ host: address, port, exclusive: true });
    await once(server, 'listening');
    const bound = server.address();
    return typeof bound === 'object' && bound !== null ? bound.port : port;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return codeOf(error) === 'EADDRINUSE' ? 'taken' : error;
  } finally {
    server.close();
  }
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

function refused(address: string, port: number, cause: Error): Failure {
  const message = `Port ${port} on ${address} cannot be listened on: ${cause.message}`;
  return new Failure('PORT_TAKEN', message, { cause });
}

/** Whether a process accepts connections at an address such as `nats://127.0.0.1:4222`. */
export async function isListenedOn(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Whether nothing at all answers at an address such as `tls://192.0.2.7:4222` within this many milliseconds, as if a
 * firewall drops what is sent there. False if it accepts or refuses, or cannot be reached for another reason.
 */
export async function isDropped(url: string, withinMs: number): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port), timeout: withinMs });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('connect', () => resolve(false));
  socket.once('error', () => resolve(false));
  socket.once('timeout', () => resolve(true));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
