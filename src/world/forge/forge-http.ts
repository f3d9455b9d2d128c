import type { z } from 'zod';
import type { ForgeQuota } from './forge-client.ts';
import { ForgeError } from './forge-error.ts';
import { quotaOf, retryAtOf } from './forge-limits.ts';

/** What is dialled with: `fetch` itself, or a stand-in of a test. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

/** Milliseconds, and bytes of one answer. */
export interface HttpLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface ForgeHttpOptions {
  /** The web host of the forge, as messages name it. */
  readonly host: string;
  /** The root of the forge's interface. Nothing but what has the same origin is ever asked. */
  readonly root: string;
  /**
   * The header that carries the credential, asked for again for each request; none for a forge that is read without
   * one.
   */
  readonly authorization: () => Promise<string | undefined>;
  /** Called when the forge refused the credential, so that one which is kept for a while is fetched again. */
  readonly refused?: () => void;
  readonly transport: Transport;
  readonly now: () => number;
  readonly limits?: HttpLimits;
}

/** A question: a GET, or a POST of a JSON body. The path is below the root, or a whole address of the same origin. */
export interface HttpQuestion {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpAnswer {
  /** 200 to 299, or 304. */
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; undefined for 204 and 304. */
  readonly json: unknown;
  readonly quota?: ForgeQuota;
}

const defaultLimits: HttpLimits = { timeoutMs: 15_000, maxBytes: 16 * 1024 * 1024 };
const maxRedirects = 3;
/** How long GitHub wants to be left alone if it does not say for how long, in milliseconds. */
const unsaidWaitMs = 60_000;

/**
 * Asks one forge over HTTP. An answer that is slow, large, broken, an error or a way to another host becomes a
 * `ForgeError`, which never holds what the forge wrote or what was sent.
 */
export class ForgeHttp {
  readonly host: string;
  readonly now: () => number;
  readonly #options: ForgeHttpOptions;
  readonly #limits: HttpLimits;
  /** Until when the forge wants to be left alone, as it last said. */
  #quietUntil = 0;

  constructor(options: ForgeHttpOptions) {
    this.host = options.host;
    this.now = options.now;
    this.#options = options;
    this.#limits = options.limits ?? defaultLimits;
  }

  /** @throws ForgeError; the signal's reason when it is aborted; what getting the credential throws. */
  async ask(question: HttpQuestion): Promise<HttpAnswer> {
    if (this.now() < this.#quietUntil) throw this.rateLimited(this.#quietUntil);
    const credential = await this.#options.authorization();
    const late = AbortSignal.timeout(this.#limits.timeoutMs);
    const signal = question.signal === undefined ? late : AbortSignal.any([late, question.signal]);
    try {
      const response = await this.#dial(question, credential, signal);
      return await this.#answerOf(response);
    } catch (error) {
      if (error instanceof ForgeError) throw error;
      question.signal?.throwIfAborted();
      if (late.aborted) throw new ForgeError('timeout', this.#says(`did not answer within ${this.#seconds} s`));
      throw new ForgeError('unreachable', this.#says('cannot be reached'));
    }
  }

  /** Follows redirections within the same origin, so that the credential never leaves it. */
  async #dial(
    { path, body, headers }: HttpQuestion,
    credential: string | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const { root, transport } = this.#options;
    const init: RequestInit = {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        'user-agent': 'muster',
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(credential !== undefined && { authorization: credential }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal,
    };
    let url = this.#within(path.startsWith('/') ? `${root}${path}` : path);
    for (let count = 0; count <= maxRedirects; count += 1) {
      const response = await transport(url.href, init);
      const location = response.headers.get('location');
      if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
      await response.body?.cancel();
      // A body must not be sent on as a GET, and no forge sends a question's body elsewhere.
      if (body !== undefined && response.status < 307) throw this.#elsewhere();
      url = this.#within(location, url);
    }
    throw this.#elsewhere();
  }

  #within(address: string, from?: URL): URL {
    const url = URL.parse(address, from?.href);
    if (url === null || url.origin !== new URL(this.#options.root).origin || url.username || url.password)
      throw this.#elsewhere();
    return url;
  }

  #elsewhere(): ForgeError {
    return new ForgeError(
      'refused_address',
      this.#says('redirects to another address, which muster does not follow: check the connection’s base address'),
    );
  }

  async #answerOf(response: Response): Promise<HttpAnswer> {
    const { status, headers } = response;
    const quota = quotaOf(headers);
    if (status === 304 || status === 204) return { status, headers, json: undefined, ...(quota && { quota }) };
    if (!response.ok) {
      // GitHub refuses who asks too fast as if they had no right to ask, and says so in words alone.
      const isLimit = status === 403 && /rate limit|abuse detection/i.test(await this.#textOf(response));
      await response.body?.cancel();
      throw this.#errorOf(status, headers, isLimit);
    }
    const text = await this.#textOf(response);
    try {
      return { status, headers, json: JSON.parse(text), ...(quota && { quota }) };
    } catch {
      throw this.malformed();
    }
  }

  #errorOf(status: number, headers: Headers, isLimit: boolean): ForgeError {
    const retryAt = retryAtOf(status, headers, this.now());
    if (isLimit) return this.rateLimited(retryAt ?? this.now() + unsaidWaitMs);
    if (status === 429 || (status === 403 && retryAt !== undefined)) return this.rateLimited(retryAt);
    if (status === 401) {
      this.#options.refused?.();
      return new ForgeError(
        'credential_refused',
        this.#says('refused the credential of its connection: a person must renew it (muster forge check shows more)'),
      );
    }
    if (status === 403 || status === 404 || status === 410 || status === 451) return this.notFound();
    if (status >= 500) {
      return new ForgeError(
        'server',
        this.#says(`failed (status ${status})`),
        retryAt === undefined ? {} : { retryAt },
      );
    }
    return new ForgeError('malformed', this.#says(`answered with status ${status}, which is unexpected`));
  }

  async #textOf(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += chunk.byteLength;
      if (length > this.#limits.maxBytes) {
        throw new ForgeError('malformed', this.#says(`answered with more than ${this.#limits.maxBytes} bytes`));
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Notes that the forge wants to be left alone: until then it is asked no more. */
  rateLimited(retryAt?: number): ForgeError {
    this.#quietUntil = retryAt ?? 0;
    const message = this.#says('has reached its rate limit and accepts no requests for a while');
    return new ForgeError('rate_limited', message, retryAt === undefined ? {} : { retryAt });
  }

  /** One message for what is not there and for what may not be seen. */
  notFound(): ForgeError {
    return new ForgeError(
      'not_found',
      this.#says(
        'has no such repository that its connection’s credential can see: check the address and the credential’s account',
      ),
    );
  }

  /** What an answer says, as a schema has it. @throws ForgeError `malformed` if it is not that */
  read<S extends z.ZodType>(schema: S, { json }: Pick<HttpAnswer, 'json'>): z.output<S> {
    const read = schema.safeParse(json);
    if (!read.success) throw this.malformed();
    return read.data;
  }

  malformed(): ForgeError {
    return new ForgeError('malformed', this.#says('sent an answer that cannot be read'));
  }

  #says(what: string): string {
    return `The forge ${this.host} ${what}`;
  }

  get #seconds(): number {
    return this.#limits.timeoutMs / 1_000;
  }
}
