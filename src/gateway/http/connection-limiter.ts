import type { Socket } from 'node:net';
import { networkOf } from './unauthenticated-throttle.ts';

/** How many connections may be open. */
export interface ConnectionLimits {
  /** Of one network, without a verified token. */
  readonly unauthenticatedPerNetwork: number;
  /** Of all networks, without a verified token. */
  readonly unauthenticated: number;
  /** Of one token. */
  readonly ofOneToken: number;
  /** Of all tokens. */
  readonly holders: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  unauthenticatedPerNetwork: 1_024,
  unauthenticated: 4_096,
  ofOneToken: 2_048,
  holders: 8_192,
};

/** An open connection, and the group that it counts towards. */
interface Entry {
  readonly socket: Socket;
  group: Set<Entry>;
  isUnauthenticated: boolean;
}

/**
 * Counts open connections: by network until one of their requests has a valid token, then by that token. If there are
 * too many, the oldest one of the largest group is closed, so that whoever opens many loses only their own.
 */
export class ConnectionLimiter {
  readonly #limits: ConnectionLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #unauthenticated = new Map<string, Set<Entry>>();
  readonly #holders = new Map<string, Set<Entry>>();
  #unauthenticatedCount = 0;
  #holderCount = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  /** Closes every connection. */
  endAll(): void {
    for (const { socket } of [...this.#entries.values()]) socket.destroy();
  }

  /** Adds a TCP connection. */
  add(socket: Socket): void {
    const key = keyOf(socket);
    if (key === undefined) return void socket.destroy();
    const network = networkOf(socket.remoteAddress ?? '');
    const entry: Entry = { socket, group: groupOf(this.#unauthenticated, network), isUnauthenticated: true };
    entry.group.add(entry);
    this.#entries.set(key, entry);
    this.#unauthenticatedCount += 1;
    socket.once('close', () => this.#forget(key, entry, network));
    if (entry.group.size > this.#limits.unauthenticatedPerNetwork) endOldest(entry.group);
    else if (this.#unauthenticatedCount > this.#limits.unauthenticated) endOldest(largestOf(this.#unauthenticated));
  }

  /** Counts a connection towards a token from now on. `socket` may be a TLS or HTTP/2 socket on the TCP connection. */
  showedToken(socket: Socket, credential: string): void {
    const entry = this.#entries.get(keyOf(socket) ?? '');
    if (entry === undefined || !entry.isUnauthenticated) return;
    this.#leave(entry, networkOf(socket.remoteAddress ?? ''));
    entry.isUnauthenticated = false;
    entry.group = groupOf(this.#holders, credential);
    entry.group.add(entry);
    this.#holderCount += 1;
    entry.socket.once('close', () => this.#forgetHolder(entry, credential));
    if (entry.group.size > this.#limits.ofOneToken) endOldest(entry.group);
    else if (this.#holderCount > this.#limits.holders) endOldest(largestOf(this.#holders));
  }

  /** Whether a connection has had a request with a valid token. */
  hasShownToken(socket: Socket): boolean {
    return this.#entries.get(keyOf(socket) ?? '')?.isUnauthenticated === false;
  }

  #forget(key: string, entry: Entry, network: string): void {
    if (this.#entries.get(key) === entry) this.#entries.delete(key);
    if (entry.isUnauthenticated) this.#leave(entry, network);
  }

  #forgetHolder(entry: Entry, credential: string): void {
    entry.group.delete(entry);
    this.#holderCount -= 1;
    if (entry.group.size === 0) this.#holders.delete(credential);
  }

  /** Removes a connection from the unauthenticated ones. */
  #leave(entry: Entry, network: string): void {
    if (entry.group.delete(entry)) this.#unauthenticatedCount -= 1;
    if (entry.group.size === 0) this.#unauthenticated.delete(network);
  }
}

function largestOf(groups: ReadonlyMap<string, Set<Entry>>): Set<Entry> {
  let largest = new Set<Entry>();
  for (const group of groups.values()) if (group.size > largest.size) largest = group;
  return largest;
}

function groupOf(groups: Map<string, Set<Entry>>, name: string): Set<Entry> {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const group = new Set<Entry>();
  groups.set(name, group);
  return group;
}

function endOldest(group: Set<Entry>): void {
  for (const { socket } of group) {
    // A connection that is being closed still counts until it is.
    if (socket.destroyed) continue;
    socket.destroy();
    return;
  }
}

/** Identifies a connection on every layer, because TLS and HTTP/2 have sockets of their own. */
function keyOf({ remoteAddress, remotePort }: Socket): string | undefined {
  return remoteAddress === undefined ? undefined : `${remoteAddress} ${remotePort}`;
}
