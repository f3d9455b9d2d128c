import type { IncomingMessage } from 'node:http';
import { type ContextKey, createContextKey } from '@connectrpc/connect';

/** Who is at the other end of a request's connection. */
export interface Peer {
  readonly address: string;
  /** Called when a request of this connection came with a token that is good. */
  showedToken(credential: string): void;
}

/** Where a handler finds the peer of its request. */
export const peerKey: ContextKey<Peer> = createContextKey<Peer>(
  { address: '', showedToken: () => undefined },
  { description: 'peer' },
);

const peers = new WeakMap<IncomingMessage, Peer>();

/** Notes who sent a request, before anything answers it. */
export function notePeer(request: IncomingMessage, peer: Peer): void {
  peers.set(request, peer);
}

/** Who sent a request. */
export function peerOf(request: IncomingMessage): Peer {
  return peers.get(request) ?? peerKey.defaultValue;
}
