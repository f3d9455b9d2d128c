import type { IncomingMessage } from 'node:http';
import { type ContextKey, createContextKey } from '@connectrpc/connect';

/** The peer of a request's connection. */
export interface Peer {
  readonly address: string;
  /** Called when a request on this connection had a valid token. */
  showedToken(credential: string): void;
}

/** The context key of a request's peer. */
export const peerKey: ContextKey<Peer> = createContextKey<Peer>(
  { address: '', showedToken: () => undefined },
  { description: 'peer' },
);

const peers = new WeakMap<IncomingMessage, Peer>();

/** Stores the peer of a request, before it is handled. */
export function notePeer(request: IncomingMessage, peer: Peer): void {
  peers.set(request, peer);
}

/** The peer of a request. */
export function peerOf(request: IncomingMessage): Peer {
  return peers.get(request) ?? peerKey.defaultValue;
}
