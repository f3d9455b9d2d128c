/** How often connections are checked, in milliseconds. */
const checkEveryMs = 1_000;

/** A sender with pending data: how much the peer has accepted, and since when that has not grown. */
interface Progress {
  readonly accepted: number;
  readonly since: number;
}

/** A socket or HTTP/2 stream: how many bytes are pending, and how many were written in all. */
interface Sender {
  readonly destroyed: boolean;
  readonly writableLength: number;
  readonly bytesWritten?: number;
  destroy(): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Closes senders whose peer accepts nothing for too long although data is pending. Checks them once a second. A peer
 * that accepts little at a time is fine.
 */
export class StalledWrites {
  readonly #patienceMs: number;
  readonly #senders = new Map<Sender, Progress | undefined>();
  readonly #timer: NodeJS.Timeout;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
    this.#timer = setInterval(() => this.#observe(performance.now()), Math.min(checkEveryMs, patienceMs / 4));
    this.#timer.unref();
  }

  /** Watches a sender until it is closed. */
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
        const accepted = acceptedBytes(sender);
        if (before === undefined || accepted > before.accepted) this.#senders.set(sender, { accepted, since: now });
        else if (now - before.since >= this.#patienceMs) sender.destroy();
      }
    }
  }
}

/**
 * How many bytes the peer has accepted. Progress within a large write shows only in the handle's own counter. Without
 * that, as for HTTP/2 streams, a write counts as a whole.
 */
function acceptedBytes(sender: Sender): number {
  const { _handle: handle } = sender as { readonly _handle?: { readonly writeQueueSize?: number } | null };
  const written = sender.bytesWritten ?? 0;
  return written - sender.writableLength - (handle?.writeQueueSize ?? 0);
}
