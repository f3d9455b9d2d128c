import { randomUUID } from 'node:crypto';
import { errors, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/nats-core';
import type { Incoming } from '#bus/bus.ts';
import { progressHeader } from '#bus/codec.ts';
import type { Outbox } from './outbox.ts';

/** How long to wait for a real answer after a "no responders" that may be forged, in milliseconds. */
const noRespondersGraceMs = 1_000;

/** A request, and how to recognize its answer. */
export interface RequestMatcher<T> {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: MsgHdrs;
  readonly timeoutMs: number;
  /** Reads the answer; undefined if the message does not answer this request, which then keeps waiting. */
  take(incoming: Incoming): { readonly answer: T } | undefined;
  /** Whether others than the server can send "no responders". Then a real answer may still follow it. */
  readonly mayBeForged?: boolean;
  /** How long the responder may be silent, in milliseconds. */
  readonly silenceMs?: number;
}

/** The responder has neither answered nor reported that the call is in progress. */
export class Silence extends Error {}

interface PendingReply {
  readonly subject: string;
  receive(message: Msg): void;
  fail(error: Error): void;
}

/**
 * The inbox for the answers to one connection: a random subject that cannot be guessed. A message that does not answer
 * a request is ignored, so no process can answer in another's place.
 */
export class Inbox {
  readonly #connection: NatsConnection;
  readonly #outbox: Outbox;
  readonly #prefix: string;
  readonly #waiting = new Map<string, PendingReply>();
  #asked = 0;

  constructor(connection: NatsConnection, outbox: Outbox, prefix: string) {
    this.#connection = connection;
    this.#outbox = outbox;
    this.#prefix = `${prefix}.${randomUUID()}`;
    connection.subscribe(`${this.#prefix}.*`, {
      callback: (error, message) => {
        if (error !== null) return this.#failAll(error);
        this.#waiting.get(message.subject.slice(this.#prefix.length + 1))?.receive(message);
      },
    });
    void this.#watchRefusals();
    void connection.closed().then(() => this.#failAll(new errors.RequestError('connection closed')));
  }

  /**
   * Sends a request and returns the first message that answers it.
   * @throws NATS's own errors: no responders, no permission, timeout
   */
  ask<T>({ subject, data, headers, timeoutMs, take, silenceMs, mayBeForged = false }: RequestMatcher<T>): Promise<T> {
    this.#asked += 1;
    const token = String(this.#asked);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const timers = [setTimeout(() => reject(new errors.TimeoutError()), timeoutMs)];
    const nobody = () => reject(new errors.RequestError('', { cause: new errors.NoRespondersError(subject) }));
    let silent = silenceMs && setTimeout(() => reject(new Silence()), silenceMs);
    this.#waiting.set(token, {
      subject,
      receive(message) {
        if (silenceMs !== undefined && message.headers?.has(progressHeader)) {
          clearTimeout(silent);
          silent = setTimeout(() => reject(new Silence()), silenceMs);
          return;
        }
        if (message.data.length === 0 && message.headers?.code === 503) {
          if (!mayBeForged) return nobody();
          timers.push(setTimeout(nobody, noRespondersGraceMs));
          return;
        }
        try {
          const taken = take(toIncoming(message));
          if (taken !== undefined) resolve(taken.answer);
        } catch (error) {
          reject(error);
        }
      },
      fail: reject,
    });
    const question = { reply: `${this.#prefix}.${token}`, headers };
    this.#outbox.send(() => this.#connection.publish(subject, data, question)).catch(reject);
    return promise.finally(() => {
      this.#waiting.delete(token);
      for (const timer of [...timers, silent]) clearTimeout(timer);
    });
  }

  /** If the server refuses a request for lack of permission, its error names only the subject. */
  async #watchRefusals(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type !== 'error' || !(status.error instanceof errors.PermissionViolationError)) continue;
      const { operation, subject } = status.error;
      if (operation !== 'publish') continue;
      for (const one of this.#waiting.values()) {
        if (one.subject === subject) one.fail(new errors.RequestError('', { cause: status.error }));
      }
    }
  }

  #failAll(error: Error): void {
    for (const one of this.#waiting.values()) one.fail(error);
  }
}

/** A message as envelopes see it. */
export function toIncoming({ subject, data, headers }: Msg): Incoming {
  return { subject, data, header: (name) => (headers?.has(name) ? headers.get(name) : undefined) };
}
