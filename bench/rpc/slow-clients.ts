// Keeps a thousand slow connections open, in a separate process.
import { connect, type Socket } from 'node:net';

/** What each connection sends at first, in Latin-1, and what it then sends byte by byte. */
export interface SlowClients {
  readonly url: string;
  readonly openings: readonly string[];
  readonly drip?: { readonly text: string; readonly everyMs: number };
}

process.once('disconnect', () => process.exit());
process.on('message', ({ url, openings, drip }: SlowClients) => {
  const { hostname, port } = new URL(url);
  let opened = 0;
  const told = () => {
    opened += 1;
    if (opened === openings.length) process.send?.({ opened });
  };
  for (const [place, opening] of openings.entries()) {
    let first: (() => void) | undefined = told;
    const open = (): void => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(opening, 'latin1');
        if (drip !== undefined) first = void first?.();
      });
      // A stream is open once it is answered.
      socket.on('data', (chunk: Buffer) => {
        // Too many were opened at once, so open it again.
        if (chunk.includes('resource_exhausted')) socket.destroy();
        else first = void first?.();
      });
      const dripping = drip && setInterval(dripOn(socket, drip.text), drip.everyMs);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(dripping);
        if (process.connected) setTimeout(open, 100);
      });
    };
    // Each sends at its own times, like independent clients.
    setTimeout(open, drip === undefined ? 0 : (place * drip.everyMs) / openings.length);
  }
});

function dripOn(socket: Socket, text: string): () => void {
  let at = 0;
  return () => {
    socket.write(text[at % text.length] ?? '');
    at += 1;
  };
}
