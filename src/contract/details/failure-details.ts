import { type DescMessage, fromBinary, type JsonObject, toJson } from '@bufbuild/protobuf';
import { Failure } from '#contract/failure.ts';
import { BadRequest, ErrorInfo } from './google-rpc.ts';

/** Whose reasons they are. */
const domain = 'muster';

/** A detail of an error, as Connect and gRPC carry it. */
export interface ErrorDetail {
  /** The full name of its message, such as `google.rpc.ErrorInfo`. */
  readonly type: string;
  /** The message in protobuf's binary form. */
  readonly value: Uint8Array;
}

/** What a refusal says beside its code and message, as messages that Connect writes into the error. */
export function detailsOf({ reason, metadata, violations }: Failure): { desc: DescMessage; value: JsonObject }[] {
  const details: { desc: DescMessage; value: JsonObject }[] = [];
  if (reason !== 'UNKNOWN') details.push({ desc: ErrorInfo, value: { reason, domain, metadata: { ...metadata } } });
  const fieldViolations = violations.map(({ field, description }) => ({ field, description }));
  if (violations.length > 0) details.push({ desc: BadRequest, value: { fieldViolations } });
  return details;
}

/** Reads a refusal out of an error as it came over HTTP. */
export function failureWith(error: { code?: string; message: string; details: readonly ErrorDetail[] }): Failure {
  const { code, message, details } = error;
  const { reason, metadata } = found(details, ErrorInfo);
  const { fieldViolations: violations } = found(details, BadRequest);
  return Failure.fromJSON({ code, message, reason, metadata, violations });
}

/** Whether muster itself has refused, and not somebody on the way. */
export function isFromMuster(details: readonly ErrorDetail[]): boolean {
  return found(details, ErrorInfo)['domain'] === domain;
}

function found(details: readonly ErrorDetail[], message: DescMessage): JsonObject {
  const detail = details.find(({ type }) => type === message.typeName);
  if (detail === undefined) return {};
  try {
    return toJson(message, fromBinary(message, detail.value)) as JsonObject;
  } catch {
    // What cannot be read says nothing.
    return {};
  }
}
