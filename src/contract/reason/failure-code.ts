/** Connect's closed list of codes, with the HTTP status of each and whether a retry may help. */
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
