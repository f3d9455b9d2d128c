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

/** The one error that crosses a boundary: a code from the closed list and a message that says what, which value, what to do. */
export class Failure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Failure';
    this.code = code;
  }

  /** The failure as it travels: `{code, message}`. */
  toJSON(): { code: FailureCode; message: string } {
    return { code: this.code, message: this.message };
  }

  /** Reads a failure back off the wire; an unknown code becomes `unknown`. */
  static fromJSON(value: { code?: unknown; message?: unknown }): Failure {
    const code = typeof value.code === 'string' && value.code in failureCodes ? (value.code as FailureCode) : 'unknown';
    return new Failure(code, typeof value.message === 'string' ? value.message : 'no reason was given');
  }
}
