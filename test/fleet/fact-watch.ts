import { setTimeout as pause } from 'node:timers/promises';
import type { Fact } from '#contract/fact/fact.ts';

/** How long to wait before a watch is opened again, in milliseconds. */
const pauseMs = 200;

interface Message {
  readonly facts?: readonly Fact[];
  readonly cursor?: string;
}

/** Follows the facts over HTTP. When its stream ends, it continues at the other gateway from its cursor. */
export class FactWatch {
  /** The places of the facts that came, in the order in which they came. */
  readonly seen: string[] = [];
  resumes = 0;
  readonly #urls: readonly string[];
  readonly #token: string;
  readonly #over = new AbortController();
  #cursor: string | undefined;
  #running: Promise<void> | undefined;

  /** @param urls the gateways, the first to use first */
  constructor(urls: readonly string[], token: string, cursor: string) {
    this.#urls = urls;
    this.#token = token;
    this.#cursor = cursor;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#over.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    for (let turn = 0; !this.#over.signal.aborted; turn += 1) {
      const url = this.#urls[turn % this.#urls.length] ?? '';
      await this.#follow(url).catch(() => undefined);
      if (this.#over.signal.aborted) return;
      this.resumes += 1;
      await pause(pauseMs);
    }
  }

  async #follow(url: string): Promise<void> {
    const reply = await fetch(`${url}/fact.v1.FactService/WatchFacts`, {
      method: 'POST',
      headers: { 'content-type': 'application/connect+json', authorization: `Bearer ${this.#token}` },
      body: new Uint8Array(enveloped({ cursor: this.#cursor })),
      signal: this.#over.signal,
    });
    let rest = Buffer.alloc(0);
    for await (const chunk of reply.body ?? []) {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
        const end = 5 + rest.readUInt32BE(1);
        const text = rest.subarray(5, end).toString('utf8');
        if (rest[0] === 0) this.#take(JSON.parse(text) as Message);
        rest = rest.subarray(end);
      }
    }
  }

  #take({ facts = [], cursor }: Message): void {
    this.seen.push(...facts.map(({ seq = '0' }) => String(seq)));
    this.#cursor = cursor ?? this.#cursor;
  }
}

function enveloped(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length, 1);
  return Buffer.concat([head, body]);
}
