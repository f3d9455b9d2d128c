import { Failure } from './failure.ts';
import { failureCodes } from './reason/failure-code.ts';
import type { FailureReason } from './reason/failure-reasons.ts';

/**
 * Refusals for which HTTP has a more specific status, which replaces the status of their code. Each belongs to one
 * reason, so the status determines reason and code.
 */
export const ownStatuses = {
  404: { reason: 'NO_SUCH_PATH', when: 'nothing is served at the path, or for that HTTP method' },
  405: { reason: 'METHOD_NOT_ALLOWED', when: 'the operation does not accept that method; all accept `POST`' },
  408: { reason: 'REQUEST_TIMED_OUT', when: 'the request did not arrive in time' },
  413: { reason: 'REQUEST_TOO_LARGE', when: 'the request is too large, as received or inflated' },
  415: { reason: 'UNSUPPORTED_CONTENT_TYPE', when: 'the path does not accept the content type' },
  417: { reason: 'UNSUPPORTED_EXPECTATION', when: '`Expect` asks for anything but `100-continue`' },
  431: { reason: 'HEADERS_TOO_LARGE', when: 'the headers are too large' },
  505: {
    reason: 'UNSUPPORTED_HTTP_VERSION',
    when: 'HTTP/2 without TLS, which is off by default (`MUSTER_H2C`)',
  },
} as const satisfies Readonly<Record<number, { readonly reason: FailureReason; readonly when: string }>>;

export type OwnStatus = keyof typeof ownStatuses;

/** A refusal for which HTTP has its own status. */
export class HttpRefusal extends Failure {
  readonly status: OwnStatus;

  constructor(status: OwnStatus, message: string, options?: ErrorOptions) {
    super(ownStatuses[status].reason, message, options);
    this.status = status;
  }
}

/** The HTTP status of a failure. */
export function statusOf(failure: Failure): number {
  return failure instanceof HttpRefusal ? failure.status : failureCodes[failure.code].status;
}

export function isOwnStatus(status: number): status is OwnStatus {
  return status in ownStatuses;
}
