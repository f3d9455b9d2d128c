import type { NatsConnection } from '@nats-io/nats-core';
import { Histogram } from '#contract/histogram.ts';
import type { BusFigures } from '#contract/wire/figures.ts';

/** The state that a meter reads in addition to the connection. */
interface MeteredConnection {
  readonly connected: boolean;
  readonly slowConsumers: number;
  readonly listeners: Set<() => void>;
}

/** The metrics of a connection to the bus. */
export class BusMeter {
  readonly #connection: NatsConnection;
  readonly #link: MeteredConnection;
  readonly #times = new Histogram();
  #requests = 0;
  #failures = 0;
  #reconnects = 0;

  constructor(connection: NatsConnection, link: MeteredConnection) {
    this.#connection = connection;
    this.#link = link;
    link.listeners.add(() => {
      this.#reconnects += 1;
    });
  }

  /** Runs a request, and measures how long it takes and whether it fails. */
  async time<T>(request: () => Promise<T>): Promise<T> {
    const started = performance.now();
    this.#requests += 1;
    try {
      return await request();
    } catch (error) {
      this.#failures += 1;
      throw error;
    } finally {
      this.#times.observe((performance.now() - started) / 1_000);
    }
  }

  read(): BusFigures {
    const { inMsgs, outMsgs, inBytes, outBytes } = this.#connection.stats();
    return {
      connected: this.#link.connected,
      requests: this.#requests,
      failures: this.#failures,
      times: this.#times.read(),
      reconnects: this.#reconnects,
      slowConsumers: this.#link.slowConsumers,
      messagesIn: inMsgs,
      messagesOut: outMsgs,
      bytesIn: inBytes,
      bytesOut: outBytes,
    };
  }
}
