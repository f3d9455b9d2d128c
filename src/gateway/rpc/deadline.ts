import { Failure } from '#contract/failure.ts';
import type { HeaderReader } from '#gateway/http/header-reader.ts';

/** The maximum duration of a call, in milliseconds. */
export const maxCallMs = 5 * 60_000;
export const defaultCallMs = 30_000;
/** The maximum duration of a stream that a caller may request, in milliseconds. Timers cannot be much longer. */
const maxStreamMs = 24 * 60 * 60_000;

const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/**
 * The timeout that a caller gives in the headers, limited to the maximum, in milliseconds; undefined if there is none.
 * @throws INVALID_ARGUMENT when it is invalid
 */
export function timeoutIn(header: HeaderReader, streaming: boolean): number | undefined {
  const connect = connectTimeout(header, streaming);
  const grpc = grpcTimeout(header, streaming);
  return connect ?? grpc;
}

/** The same; undefined if it is invalid. */
export function validTimeoutIn(header: HeaderReader): number | undefined {
  return unlessInvalid(() => timeoutIn(header, false));
}

/** The timeout of a call in Connect's own protocol, which has no other header for it; undefined if it is invalid. */
export function connectTimeoutIn(header: HeaderReader): number | undefined {
  return unlessInvalid(() => connectTimeout(header, false));
}

function unlessInvalid(read: () => number | undefined): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * Limits the caller's timeout in the headers to the maximum.
 * @throws INVALID_ARGUMENT when it is invalid
 */
export function limitTimeout(headers: Headers, streaming: boolean): void {
  const connect = connectTimeout(headers, streaming);
  if (connect !== undefined) headers.set('connect-timeout-ms', String(connect));
  const grpc = grpcTimeout(headers, streaming);
  if (grpc !== undefined) headers.set('grpc-timeout', `${grpc}m`);
}

function connectTimeout(header: HeaderReader, streaming: boolean): number | undefined {
  const given = matched(header, 'connect-timeout-ms', /^[0-9]{1,10}$/);
  return given === undefined ? undefined : Math.min(Number(given[0]), maxMs(streaming));
}

function grpcTimeout(header: HeaderReader, streaming: boolean): number | undefined {
  const given = matched(header, 'grpc-timeout', /^([0-9]{1,8})([HMSmun])$/);
  if (given === undefined) return undefined;
  return Math.min(Math.ceil(Number(given[1]) * (unitMs[given[2] ?? ''] ?? 0)), maxMs(streaming));
}

function maxMs(streaming: boolean): number {
  return streaming ? maxStreamMs : maxCallMs;
}

function matched(header: HeaderReader, name: string, form: RegExp): RegExpExecArray | undefined {
  const value = header.get(name);
  if (value === null) return undefined;
  const match = form.exec(value);
  if (match === null)
    throw new Failure('INVALID_TIMEOUT', `${name} is ${JSON.stringify(value)}, which is not a timeout`);
  return match;
}
