/**
 * What went wrong between muster and a forge.
 *
 * `not_found`: no such repository, or the credential may not see it: the two are one. `credential_refused`: the forge
 * knows no such credential. `rate_limited`: asked too much, see `retryAt`. `timeout`: it was silent for too long.
 * `unreachable`: no connection came about. `server`: it failed by its own word (5xx). `malformed`: what it answered
 * cannot be read. `refused_address`: it sent muster somewhere else, or its address may not be asked. `bad_cursor`: it
 * does not take the page's cursor.
 */
export type ForgeErrorKind =
  | 'not_found'
  | 'credential_refused'
  | 'rate_limited'
  | 'timeout'
  | 'unreachable'
  | 'server'
  | 'malformed'
  | 'refused_address'
  | 'bad_cursor';

/** A forge did not answer as it should. The message names the host and never a credential or what the forge wrote. */
export class ForgeError extends Error {
  readonly kind: ForgeErrorKind;
  /** When the forge may be asked again, in milliseconds since 1970, if it said so. */
  readonly retryAt: number | undefined;

  constructor(kind: ForgeErrorKind, message: string, options: { retryAt?: number } = {}) {
    super(message);
    this.name = 'ForgeError';
    this.kind = kind;
    this.retryAt = options.retryAt;
  }
}

/** For a part of an answer that may be missing: undefined if the forge has none, and any other error on. */
export function orAbsent(error: unknown): undefined {
  if (!(error instanceof ForgeError) || error.kind !== 'not_found') throw error;
}
