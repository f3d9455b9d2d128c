// Holds a thousand connections that hardly say anything, in its own process.
import { connect, type Socket } from 'node:net';

/** What the connections send first, as latin1, one text each; and what they drip, a byte every so often. */
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
        // Too many are opened at a time: this one is opened again.
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
    // Each sends at its own times, as independent clients do.
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
