import { Failure } from '#contract/failure.ts';

/** The maximum duration of a call, in milliseconds. */
export const maxCallMs = 5 * 60_000;
export const defaultCallMs = 30_000;
/** The maximum duration of a stream that a caller may request, in milliseconds. Timers cannot be much longer. */
const maxStreamMs = 24 * 60 * 60_000;

const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/**
 * Limits the caller's deadline in the headers to the maximum. An invalid one is removed.
 * @throws INVALID_ARGUMENT when it is invalid
 */
export function clampDeadline(headers: Headers, streaming: boolean): void {
  const max = streaming ? maxStreamMs : maxCallMs;
  const connect = taken(headers, 'connect-timeout-ms', /^[0-9]{1,10}$/);
  if (connect !== undefined) headers.set('connect-timeout-ms', String(Math.min(Number(connect[0]), max)));
  const grpc = taken(headers, 'grpc-timeout', /^([0-9]{1,8})([HMSmun])$/);
  if (grpc !== undefined) {
    const milliseconds = Math.ceil(Number(grpc[1]) * (unitMs[grpc[2] ?? ''] ?? 0));
    headers.set('grpc-timeout', `${Math.min(milliseconds, max)}m`);
  }
}

/** The caller's timeout from its headers, in milliseconds; undefined if there is no valid one. */
export function deadlineIn(headers: Headers): number | undefined {
  const copy = new Headers(headers);
  try {
    clampDeadline(copy, false);
  } catch {
    return undefined;
  }
  const said = copy.get('connect-timeout-ms') ?? copy.get('grpc-timeout')?.replace(/m$/, '');
  return said === undefined ? undefined : Number(said);
}

/** Removes a header and parses it. */
function taken(headers: Headers, name: string, form: RegExp): RegExpExecArray | undefined {
  const value = headers.get(name);
  if (value === null) return undefined;
  headers.delete(name);
  const match = form.exec(value);
  if (match === null)
    throw new Failure('INVALID_TIMEOUT', `${name} is ${JSON.stringify(value)}, which is not a timeout`);
  return match;
}
