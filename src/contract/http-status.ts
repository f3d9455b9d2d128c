import { Failure, type FailureCode, failureCodes } from './failure.ts';

/**
 * Where HTTP has a status of its own for a refusal, which then stands in the place of that of its code. Each belongs to one
 * code, so that the code can be told from the status.
 */
export const ownStatuses = {
  404: { code: 'unimplemented', when: 'there is nothing at the path, or nothing for the method' },
  405: { code: 'unimplemented', when: 'the operation is not called by that method: `POST` always is one' },
  408: { code: 'deadline_exceeded', when: 'the request did not come in time' },
  413: { code: 'resource_exhausted', when: 'the request is too large, as it came or inflated' },
  415: { code: 'invalid_argument', when: 'the content type is none that is taken there' },
  417: { code: 'unimplemented', when: '`Expect` asks for something else than `100-continue`' },
  431: { code: 'resource_exhausted', when: 'the headers are too large' },
  505: { code: 'unimplemented', when: 'HTTP/2 is spoken in clear, which has to be asked for (`MUSTER_H2C`)' },
} as const satisfies Readonly<Record<number, { readonly code: FailureCode; readonly when: string }>>;

export type OwnStatus = keyof typeof ownStatuses;

/** A refusal for which HTTP has a status of its own. */
export class HttpRefusal extends Failure {
  readonly status: OwnStatus;

  constructor(status: OwnStatus, message: string, options?: ErrorOptions) {
    super(ownStatuses[status].code, message, options);
    this.status = status;
  }
}

/** The status that a failure travels under. */
export function statusOf(failure: Failure): number {
  return failure instanceof HttpRefusal ? failure.status : failureCodes[failure.code].status;
}

export function isOwnStatus(status: number): status is OwnStatus {
  return status in ownStatuses;
}
