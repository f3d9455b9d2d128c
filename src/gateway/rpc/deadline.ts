import { Failure } from '#contract/failure.ts';

/** How long a call may take at most, and where its caller does not say, in milliseconds. */
export const maxCallMs = 5 * 60_000;
export const defaultCallMs = 30_000;
/** How long a stream may be asked to last at most: what a timer can hold is not much more. */
const maxStreamMs = 24 * 60 * 60_000;

const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 1e-3, n: 1e-6 };

/**
 * Cuts the caller's deadline in the headers to the longest that is kept; one that cannot be read is taken out.
 * @throws INVALID_ARGUMENT when it cannot be read.
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

/** How long a caller still waits, as its headers say, in milliseconds; undefined if they do not, or cannot be read. */
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

/** Takes a header out and reads it. */
function taken(headers: Headers, name: string, form: RegExp): RegExpExecArray | undefined {
  const value = headers.get(name);
  if (value === null) return undefined;
  headers.delete(name);
  const match = form.exec(value);
  if (match === null)
    throw new Failure('INVALID_TIMEOUT', `${name} is ${JSON.stringify(value)}, which is not a timeout`);
  return match;
}
