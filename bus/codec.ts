import { headers, type MsgHdrs } from '@nats-io/nats-core';
import { Failure } from '#contract/failure.ts';
import { failureCodes } from '#contract/reason/failure-code.ts';

const errorCode = 'Nats-Service-Error-Code';
const errorText = 'Nats-Service-Error';
/** The installation of the caller. */
export const installationHeader = 'Muster-Installation';
/** The header with the versions of the messages that a gateway speaks. */
export const protocolHeader = 'Muster-Protocol';
const timeoutHeader = 'Muster-Timeout-Ms';

const decoder = new TextDecoder();

/** A body on the wire: JSON, or no bytes for undefined. `TextEncoder` would take four times as long for it. */
export function encodeBody(body: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(body) ?? '');
}

/**
 * Decodes a body.
 * @throws INVALID_ARGUMENT when it is not JSON.
 */
export function decodeBody(data: Uint8Array): unknown {
  if (data.length === 0) return undefined;
  try {
    return JSON.parse(decoder.decode(data)) as unknown;
  } catch (error) {
    throw new Failure('MALFORMED_REQUEST', `A message of ${data.length} bytes on the bus is not JSON`, {
      cause: error,
    });
  }
}

/** The headers of a request: its time limit, and those that the caller adds. */
export function requestHeaders(timeoutMs: number, more: Readonly<Record<string, string>> = {}): MsgHdrs {
  const made = headers();
  made.set(timeoutHeader, String(Math.ceil(timeoutMs)));
  for (const [name, value] of Object.entries(more)) made.set(name, value);
  return made;
}

/** The header by which a caller asks for reports that its call is in progress, and which marks those reports. */
export const progressHeader = 'Muster-Progress';

/** The deadline of a call, by the clock of the registry that it names. */
export const lateHeader = 'Muster-Late-After-Ms';

/** Whether a call arrived after its caller had given up. */
export function isLate(given: MsgHdrs | undefined): boolean {
  const value = given?.get(lateHeader) ?? '';
  return value !== '' && performance.now() > Number(value);
}

/** How long the caller waits, in milliseconds; undefined if the header is missing or invalid. */
export function timeoutOf(given: MsgHdrs | undefined): number | undefined {
  const value = given?.get(timeoutHeader) ?? '';
  return /^[1-9][0-9]{0,9}$/.test(value) ? Number(value) : undefined;
}

/** The headers of an answer that refuses: the HTTP status and one line of text, as the services protocol has them. */
export function failureHeaders(failure: Failure): Readonly<Record<string, string>> {
  return { [errorCode]: String(failureCodes[failure.code].status), [errorText]: oneLine(failure.message) };
}

/** Converts to NATS headers. */
export function headersOf(given: Readonly<Record<string, string>>): MsgHdrs {
  const made = headers();
  for (const [name, value] of Object.entries(given)) made.set(name, value);
  return made;
}

/** Reduces a text to one line of printable ASCII for a header; the body has the whole message. */
function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 500);
}
