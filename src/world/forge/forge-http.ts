import type { z } from 'zod';
import type { ForgeQuota } from './forge-client.ts';
import { ForgeError } from './forge-error.ts';
import { quotaOf, retryAtOf } from './forge-limits.ts';

/** The HTTP transport: `fetch` itself, or a test's replacement. */
export type Transport = (url: string, init: RequestInit) => Promise<Response>;

/** The time limit in milliseconds, and the maximum size of an answer in bytes. */
export interface HttpLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export interface ForgeHttpOptions {
  /** The web host of the forge, for messages. */
  readonly host: string;
  /** The root of the forge's API. Requests never go to another origin. */
  readonly root: string;
  /** Returns the Authorization header, for each request; undefined for a forge that needs none. */
  readonly authorization: () => Promise<string | undefined>;
  /** Called when the forge refused the credential, so that a cached one is fetched again. */
  readonly refused?: () => void;
  readonly transport: Transport;
  readonly now: () => number;
  readonly limits?: HttpLimits;
}

/** A request: a GET, or a POST of a JSON body. The path is below the root, or a full URL of the same origin. */
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
/** How long to wait after GitHub's rate limit if it reports no time, in milliseconds. */
const defaultWaitMs = 60_000;

/**
 * Sends requests to one forge over HTTP. Slow, too large or invalid answers, errors and redirects to other hosts become
 * a `ForgeError`, which never contains what was sent or received.
 */
export class ForgeHttp {
  readonly host: string;
  readonly now: () => number;
  readonly #options: ForgeHttpOptions;
  readonly #limits: HttpLimits;
  /** Until when the forge accepts no requests, as it last reported. */
  #quietUntil = 0;

  constructor(options: ForgeHttpOptions) {
    this.host = options.host;
    this.now = options.now;
    this.#options = options;
    this.#limits = options.limits ?? defaultLimits;
  }

  /** @throws ForgeError, the signal's reason when it aborts, and the failures of getting the credential */
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
      // Such a redirect would turn the POST into a GET, and no forge redirects requests with a body.
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
      // GitHub answers its rate limit with 403, and names it only in the text.
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
    if (isLimit) return this.rateLimited(retryAt ?? this.now() + defaultWaitMs);
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

  /** Records the rate limit: until then, no requests are sent. */
  rateLimited(retryAt?: number): ForgeError {
    this.#quietUntil = retryAt ?? 0;
    const message = this.#says('has reached its rate limit and accepts no requests for a while');
    return new ForgeError('rate_limited', message, retryAt === undefined ? {} : { retryAt });
  }

  /** The same message for a repository that does not exist and for one that the credential may not see. */
  notFound(): ForgeError {
    return new ForgeError(
      'not_found',
      this.#says(
        'has no such repository that its connection’s credential can see: check the address and the credential’s account',
      ),
    );
  }

  /** Parses an answer by a schema. @throws ForgeError `malformed` when it does not match */
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
