import { type FailureCode, failureCodes } from './reason/failure-code.ts';
import { type FailureReason, failureReasons, type MetadataKey } from './reason/failure-reasons.ts';

/** A field at fault, as in google.rpc.BadRequest. */
export interface FieldViolation {
  /** Its path in the request, such as `scripts.setup` or `inputs.2.text`. */
  readonly field: string;
  /** What is wrong, which value, and what to do. */
  readonly description: string;
}

interface Details extends ErrorOptions {
  /** The one field at fault. */
  readonly field?: string | undefined;
  /** Every field at fault, if there may be several. */
  readonly violations?: readonly FieldViolation[];
}

/** What a failure carries besides its reason and message. If the reason documents metadata, it is required. */
export type FailureOptions<R extends FailureReason> = [MetadataKey<R>] extends [never]
  ? [options?: Details]
  : [options: Details & { readonly metadata: Readonly<Record<MetadataKey<R>, string>> }];

/** A failure on the wire. */
export interface FailureJson {
  readonly code: FailureCode;
  readonly message: string;
  /** Omitted if unknown. */
  readonly reason?: string;
  /** The first field at fault. */
  readonly field?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Every field at fault, if there are several. */
  readonly violations?: readonly FieldViolation[];
}

/**
 * The one error that crosses process boundaries. Its reason, from a closed list, is what programs match, and decides
 * the code. Its message says what is wrong, which value, and what to do.
 */
export class Failure<R extends FailureReason = FailureReason> extends Error {
  readonly code: FailureCode;
  /** A `FailureReason`, or one that only a newer version knows. */
  readonly reason: string;
  /** The fields at fault; empty if no single field is. */
  readonly violations: readonly FieldViolation[];
  /** The metadata that the reason documents, by key. */
  readonly metadata: Readonly<Record<string, string>>;

  constructor(reason: R, message: string, ...[options]: FailureOptions<R>) {
    const given: Details & { readonly metadata?: Readonly<Record<string, string>> } = options ?? {};
    const { field, violations = field === undefined ? [] : [{ field, description: message }], metadata = {} } = given;
    super(message, 'cause' in given ? { cause: given.cause } : {});
    this.name = 'Failure';
    this.code = failureReasons[reason].code;
    this.reason = reason;
    this.violations = violations;
    this.metadata = metadata;
  }

  /** The path of the first field at fault in the request. */
  get field(): string | undefined {
    return this.violations[0]?.field;
  }

  /** Whether its reason is one of these. */
  isFor(...reasons: readonly FailureReason[]): boolean {
    return reasons.some((reason) => reason === this.reason);
  }

  /** The same failure with another message. */
  saying(message: string): Failure {
    const { code, reason, violations, metadata } = this;
    return Object.assign(new Failure('UNKNOWN', message, { cause: this }), { code, reason, violations, metadata });
  }

  /** The failure on the wire, without the parts that it does not have. */
  toJSON(): FailureJson {
    const { code, message, reason, field, metadata, violations } = this;
    return {
      code,
      message,
      ...(reason === 'UNKNOWN' ? {} : { reason }),
      ...(field === undefined ? {} : { field }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      ...(violations.length > 1 ? { violations } : {}),
    };
  }

  /**
   * Reads a failure off the wire, also from another version of muster: an unknown code becomes `unknown`, and malformed
   * parts are ignored.
   */
  static fromJSON(given: { readonly [K in keyof FailureJson]?: unknown }): Failure {
    const message = typeof given.message === 'string' ? given.message : 'no reason was given';
    const [code = 'unknown' as const] = codes.filter((one) => one === given.code);
    const { reason, field } = given;
    const listed = Array.isArray(given.violations) ? given.violations.filter(isViolation) : [];
    const sole = typeof field === 'string' ? [{ field, description: message }] : [];
    return Object.assign(new Failure('UNKNOWN', message), {
      code,
      reason: typeof reason === 'string' ? reason : 'UNKNOWN',
      violations: listed.length > 0 ? listed : sole,
      metadata: textsIn(given.metadata),
    });
  }
}

const codes = Object.keys(failureCodes) as FailureCode[];

function isViolation(value: unknown): value is FieldViolation {
  if (typeof value !== 'object' || value === null || !('field' in value && 'description' in value)) return false;
  return typeof value.field === 'string' && typeof value.description === 'string';
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === 'string'));
}
