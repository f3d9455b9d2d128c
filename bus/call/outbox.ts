interface Publication {
  publish(): void;
  published(): void;
  refused(error: unknown): void;
}

/**
 * The outgoing messages of one connection. Messages published in the same turn of the event loop leave in one write,
 * because a write costs more than everything else about a small message.
 */
export class Outbox {
  #waiting: Publication[] = [];

  /** Publishes at the end of this turn, in the order of the calls. @throws whatever `publish` throws */
  send(publish: () => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (this.#waiting.length === 0) setImmediate(() => this.flush());
    this.#waiting.push({ publish, published: resolve, refused: reject });
    return promise;
  }

  /** Publishes the queued messages. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { publish, published, refused } of waiting) {
      try {
        publish();
        published();
      } catch (error) {
        refused(error);
      }
    }
  }
}
