import { Code, ConnectError } from '@connectrpc/connect';
import { type FieldViolation, readErrorInfo, readViolations } from './error-details.ts';
import type { Reason } from './reason.ts';

/** Connect's codes, as they are on the wire. */
export type ErrorCode =
  | 'canceled'
  | 'unknown'
  | 'invalid_argument'
  | 'deadline_exceeded'
  | 'not_found'
  | 'already_exists'
  | 'permission_denied'
  | 'resource_exhausted'
  | 'failed_precondition'
  | 'aborted'
  | 'out_of_range'
  | 'unimplemented'
  | 'internal'
  | 'unavailable'
  | 'data_loss'
  | 'unauthenticated';

const codes: Readonly<Record<Code, ErrorCode>> = {
  [Code.Canceled]: 'canceled',
  [Code.Unknown]: 'unknown',
  [Code.InvalidArgument]: 'invalid_argument',
  [Code.DeadlineExceeded]: 'deadline_exceeded',
  [Code.NotFound]: 'not_found',
  [Code.AlreadyExists]: 'already_exists',
  [Code.PermissionDenied]: 'permission_denied',
  [Code.ResourceExhausted]: 'resource_exhausted',
  [Code.FailedPrecondition]: 'failed_precondition',
  [Code.Aborted]: 'aborted',
  [Code.OutOfRange]: 'out_of_range',
  [Code.Unimplemented]: 'unimplemented',
  [Code.Internal]: 'internal',
  [Code.Unavailable]: 'unavailable',
  [Code.DataLoss]: 'data_loss',
  [Code.Unauthenticated]: 'unauthenticated',
};

/** Codes after which the same call may succeed. */
const retriable: ReadonlySet<ErrorCode> = new Set(['deadline_exceeded', 'aborted', 'unavailable']);

/** Codes of answers without a reason of muster’s that a repeat does not change: something else listens there. */
const foreign: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'permission_denied', 'unimplemented', 'not_found']);

interface Parts {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly FieldViolation[];
  readonly cause?: unknown;
}

/** A call that failed: muster refused it, or did not answer. Match `reason`, never the words of the message. */
export class MusterError extends Error {
  override readonly name = 'MusterError';
  readonly code: ErrorCode;
  /** Why: a reason of the closed list, one that only a newer muster knows, or empty if muster did not answer. */
  readonly reason: Reason | (string & {});
  /** The metadata that the reason documents, by key. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The fields at fault; empty if no single field is. */
  readonly violations: readonly FieldViolation[];

  constructor(message: string, { code, reason, metadata = {}, violations = [], cause }: Parts) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
    this.metadata = metadata;
    this.violations = violations;
  }

  /** The path of the first field at fault in the request. */
  get field(): string | undefined {
    return this.violations[0]?.field;
  }

  /** Whether the connection or a proxy failed, and not muster: a call that writes may have been done. */
  get isUnanswered(): boolean {
    return this.reason === '' && this.code !== 'canceled' && !foreign.has(this.code);
  }

  /** Whether the same call may succeed later. */
  get mayRetry(): boolean {
    return this.isUnanswered || retriable.has(this.code);
  }

  /** Whether its reason is one of these. */
  isFor(...reasons: readonly Reason[]): boolean {
    return reasons.some((reason) => reason === this.reason);
  }

  /** The error that a call threw, with the reason, metadata and fields that muster sent. */
  static from(error: unknown): MusterError {
    if (error instanceof MusterError) return error;
    const { code, rawMessage, details } = ConnectError.from(error);
    const found = (type: string): Uint8Array | undefined =>
      details.flatMap((detail) => ('type' in detail && detail.type === type ? [detail.value] : []))[0];
    const info = read(found('google.rpc.ErrorInfo'), readErrorInfo);
    const isOwn = info?.domain === 'muster';
    const violations = read(found('google.rpc.BadRequest'), readViolations) ?? [];
    return new MusterError(rawMessage || 'muster did not answer', {
      code: codes[code],
      reason: isOwn ? info.reason : '',
      metadata: isOwn ? info.metadata : {},
      violations,
      cause: error,
    });
  }
}

/** Reads a detail; a malformed one is ignored. */
function read<Detail>(bytes: Uint8Array | undefined, reader: (bytes: Uint8Array) => Detail): Detail | undefined {
  if (bytes === undefined) return undefined;
  try {
    return reader(bytes);
  } catch {
    return undefined;
  }
}
