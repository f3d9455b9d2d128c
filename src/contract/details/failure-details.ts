import { type DescMessage, fromBinary, type JsonObject, toJson } from '@bufbuild/protobuf';
import { Failure } from '#contract/failure.ts';
import { BadRequest, ErrorInfo } from './google-rpc.ts';

/** The `domain` of muster's reasons in ErrorInfo. */
const domain = 'muster';

/** A detail of an error in Connect and gRPC. */
export interface ErrorDetail {
  /** The full name of its message, such as `google.rpc.ErrorInfo`. */
  readonly type: string;
  /** The message in protobuf's binary form. */
  readonly value: Uint8Array;
}

/** A failure's reason, metadata and violations, as details for Connect. */
export function detailsOf({ reason, metadata, violations }: Failure): { desc: DescMessage; value: JsonObject }[] {
  const details: { desc: DescMessage; value: JsonObject }[] = [];
  if (reason !== 'UNKNOWN') details.push({ desc: ErrorInfo, value: { reason, domain, metadata: { ...metadata } } });
  const fieldViolations = violations.map(({ field, description }) => ({ field, description }));
  if (violations.length > 0) details.push({ desc: BadRequest, value: { fieldViolations } });
  return details;
}

/** Reads a failure from an error received over HTTP. */
export function failureWith(error: { code?: string; message: string; details: readonly ErrorDetail[] }): Failure {
  const { code, message, details } = error;
  const { reason, metadata } = found(details, ErrorInfo);
  const { fieldViolations: violations } = found(details, BadRequest);
  return Failure.fromJSON({ code, message, reason, metadata, violations });
}

/** Whether an error comes from muster itself, and not from a proxy in between. */
export function isFromMuster(details: readonly ErrorDetail[]): boolean {
  return found(details, ErrorInfo)['domain'] === domain;
}

function found(details: readonly ErrorDetail[], message: DescMessage): JsonObject {
  const detail = details.find(({ type }) => type === message.typeName);
  if (detail === undefined) return {};
  try {
    return toJson(message, fromBinary(message, detail.value)) as JsonObject;
  } catch {
    // A malformed detail is ignored.
    return {};
  }
}
