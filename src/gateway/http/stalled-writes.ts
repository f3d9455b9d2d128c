/** How often connections are looked at, in milliseconds. */
const lookEvery = 1_000;

/** What is known of a sender that has something to send: what it has given away, and since when that is gone. */
interface Waiting {
  readonly given: number;
  readonly since: number;
}

/** How many bytes a socket, or a stream of HTTP/2, has not given away yet, and how many it was ever given. */
interface Sender {
  readonly destroyed: boolean;
  readonly writableLength: number;
  readonly bytesWritten?: number;
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Ends senders whose peer takes nothing for so long, though there is something to send: one look a second at those that
 * were given to it. A peer that takes little at a time is not concerned, as long as it takes something.
 */
export class StalledWrites {
  readonly #patienceMs: number;
  readonly #senders = new Map<Sender, Waiting | undefined>();
  readonly #timer: NodeJS.Timeout;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
    this.#timer = setInterval(() => this.#observe(performance.now()), Math.min(lookEvery, patienceMs / 4));
    this.#timer.unref();
  }

  /** Looks after a sender until it is closed. */
  watch(sender: Sender): void {
    this.#senders.set(sender, undefined);
    sender.once('close', () => this.#senders.delete(sender));
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #observe(now: number): void {
    for (const [sender, before] of this.#senders) {
      if (sender.writableLength === 0) this.#senders.set(sender, undefined);
      else {
        const given = givenAway(sender);
        if (before === undefined || given > before.given) this.#senders.set(sender, { given, since: now });
        else if (now - before.since >= this.#patienceMs) sender.destroy();
      }
    }
  }
}

/**
 * How much the peer has taken, in bytes. What it takes of a large piece shows only in the handle's own count, which
 * node keeps for the same purpose; if it is not there, as of a stream of HTTP/2, a piece counts as a whole.
 */
function givenAway(sender: Sender): number {
  const { _handle: handle } = sender as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  const written = sender.bytesWritten ?? 0;
  return written - sender.writableLength - (handle?.writeQueueSize ?? 0);
}
