import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '#contract/failure.ts';

/** How long one try may take, in milliseconds. */
const tryMs = 8_000;
/** How long a caller waits before the next try, in milliseconds. */
const pauseMs = 100;
/** How long a call is tried in all, in milliseconds. */
const patience = 120_000;

/** Codes after which a caller retries, with the same key if it has one. */
const transient = new Set([
  'unavailable',
  'deadline_exceeded',
  'aborted',
  'unknown',
  'internal',
  'canceled',
  'resource_exhausted',
]);

/** One call until it was answered, with what refused it meanwhile. Times are of `performance.now`. */
export interface CallRecord {
  readonly method: string;
  readonly began: number;
  readonly ended: number;
  readonly refusals: readonly Refusal[];
}

/** A try that did not succeed. */
export interface Refusal {
  readonly at: number;
  readonly gateway: string;
  /** The reason, such as RESPONDER_LOST; `CONNECTION` if the gateway itself was unreachable. */
  readonly reason: string;
  readonly message: string;
}

/** Calls both gateways, and notes how long each call took. */
export class DrillCaller {
  readonly records: CallRecord[] = [];
  readonly #urls: readonly string[];
  readonly #open = new Set<Promise<unknown>>();
  #next = 0;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** Waits for the calls that are now in progress. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#open);
  }

  /**
   * Tries a call at one gateway after the other until it is answered.
   * @param isRepeatable whether it is tried again when it may have been done
   * @throws Failure when it is refused for good
   */
  call<T>(token: string, method: string, request: object, isRepeatable = true): Promise<T> {
    const calling = this.#try<T>(token, method, request, isRepeatable);
    const open = calling.catch(() => undefined).finally(() => this.#open.delete(open));
    this.#open.add(open);
    return calling;
  }

  async #try<T>(token: string, method: string, request: object, isRepeatable: boolean): Promise<T> {
    const began = performance.now();
    const refusals: Refusal[] = [];
    const first = this.#next;
    this.#next += 1;
    for (let tries = 0; ; tries += 1) {
      const gateway = this.#urls[(first + tries) % this.#urls.length] ?? '';
      try {
        const answer = await ask<T>(`${gateway}/${method}`, token, request);
        this.records.push({ method, began, ended: performance.now(), refusals });
        return answer;
      } catch (error) {
        const failure = error instanceof Failure ? error : undefined;
        if (failure !== undefined && !transient.has(failure.code)) throw error;
        const at = performance.now();
        const message = error instanceof Error ? error.message : String(error);
        refusals.push({ at, gateway, reason: failure?.reason ?? 'CONNECTION', message });
        if (!isRepeatable || at - began > patience) {
          this.records.push({ method, began, ended: at, refusals });
          throw error;
        }
      }
      await pause(pauseMs);
    }
  }
}

async function ask<T>(url: string, token: string, request: object): Promise<T> {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${token}`,
    'connect-timeout-ms': String(tryMs),
  };
  const reply = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify(request),
    signal: AbortSignal.timeout(tryMs + 1_000),
  });
  const body = (await reply.json()) as T & { readonly details?: readonly Detail[] };
  if (!reply.ok)
    throw Failure.fromJSON({ ...body, reason: body.details?.find(({ debug }) => debug?.reason)?.debug?.reason });
  return body;
}

/** A detail of an error, as Connect writes it. */
interface Detail {
  readonly debug?: { readonly reason?: string };
}
