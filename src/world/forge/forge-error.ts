/**
 * The kinds of failures of a forge.
 *
 * `not_found`: the repository does not exist, or the credential may not see it, which cannot be distinguished.
 * `credential_refused`: the forge does not accept the credential. `rate_limited`: too many requests, see `retryAt`.
 * `timeout`: no answer in time. `unreachable`: no connection. `server`: the forge reported an error of its own (5xx).
 * `malformed`: its answer cannot be read. `refused_address`: it redirects elsewhere, or its address is not allowed.
 * `bad_cursor`: it does not accept the page's cursor.
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

/** A failure of a forge. The message names the host, and never contains a credential or the forge's own text. */
export class ForgeError extends Error {
  readonly kind: ForgeErrorKind;
  /** When the forge may be asked again, in milliseconds since 1970, if it reported that. */
  readonly retryAt: number | undefined;

  constructor(kind: ForgeErrorKind, message: string, options: { retryAt?: number } = {}) {
    super(message);
    this.name = 'ForgeError';
    this.kind = kind;
    this.retryAt = options.retryAt;
  }
}

/** Undefined for `not_found`, for a part of an answer that may be missing. Rethrows any other error. */
export function orAbsent(error: unknown): undefined {
  if (!(error instanceof ForgeError) || error.kind !== 'not_found') throw error;
}
