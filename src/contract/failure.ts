/** Connect's closed list of codes, with the HTTP status each one travels under and whether trying again may help. */
export const failureCodes = {
  canceled: { status: 499, retry: false },
  unknown: { status: 500, retry: false },
  invalid_argument: { status: 400, retry: false },
  deadline_exceeded: { status: 504, retry: true },
  not_found: { status: 404, retry: false },
  already_exists: { status: 409, retry: false },
  permission_denied: { status: 403, retry: false },
  resource_exhausted: { status: 429, retry: false },
  failed_precondition: { status: 400, retry: false },
  aborted: { status: 409, retry: true },
  out_of_range: { status: 400, retry: false },
  unimplemented: { status: 501, retry: false },
  internal: { status: 500, retry: false },
  unavailable: { status: 503, retry: true },
  data_loss: { status: 500, retry: false },
  unauthenticated: { status: 401, retry: false },
} as const;

export type FailureCode = keyof typeof failureCodes;

/** What a failure may say beside its code and message. */
export interface FailureOptions extends ErrorOptions {
  /** What programs match where the code alone is too wide, such as `DISK_FULL`. */
  readonly reason?: string | undefined;
}

/** The one error that crosses a boundary: a code from the closed list and a message that says what, which value, what to do. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly reason: string | undefined;

  constructor(code: FailureCode, message: string, { reason, ...options }: FailureOptions = {}) {
    super(message, options);
    this.name = 'Failure';
    this.code = code;
    this.reason = reason;
  }

  /** The failure as it travels: `{code, message}`, and its reason where it has one. */
  toJSON(): { code: FailureCode; message: string; reason?: string } {
    const { code, message, reason } = this;
    return { code, message, ...(reason === undefined ? {} : { reason }) };
  }

  /** Reads a failure back off the wire; an unknown code becomes `unknown`. */
  static fromJSON(value: { code?: unknown; message?: unknown; reason?: unknown }): Failure {
    const code = typeof value.code === 'string' && value.code in failureCodes ? (value.code as FailureCode) : 'unknown';
    const reason = typeof value.reason === 'string' ? value.reason : undefined;
    return new Failure(code, typeof value.message === 'string' ? value.message : 'no reason was given', { reason });
  }
}
