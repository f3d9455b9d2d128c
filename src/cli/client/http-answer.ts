import type { ByteReader } from './byte-reader.ts';

/** The status and the headers of an answer. */
export interface AnswerHead {
  readonly status: number;
  /** By name, in lower case. */
  readonly headers: ReadonlyMap<string, string>;
}

/** The maximum number of headers. */
const maxHeaders = 1_000;

/**
 * Reads the head of an answer in HTTP/1.1, after any interim one.
 * @throws Error when it is not HTTP, or the connection ends first
 */
export async function readHead(reader: ByteReader): Promise<AnswerHead> {
  for (;;) {
    const line = await reader.line();
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(line)?.[1]);
    if (Number.isNaN(status)) throw new Error('it does not answer in HTTP');
    const headers = await readHeaders(reader);
    if (status >= 200) return { status, headers };
  }
}

async function readHeaders(reader: ByteReader): Promise<ReadonlyMap<string, string>> {
  const headers = new Map<string, string>();
  for (let count = 0; count <= maxHeaders; count += 1) {
    const line = await reader.line();
    if (line === '') return headers;
    const colon = line.indexOf(':');
    if (colon <= 0) throw new Error('it sent a header that is none');
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  throw new Error(`it sent more than ${maxHeaders} headers`);
}

/**
 * The body of an answer, as it arrives; then the connection ends.
 * @throws Error when the connection ends first
 */
export async function* bodyOf({ headers }: AnswerHead, reader: ByteReader): AsyncGenerator<Uint8Array, void> {
  try {
    const [encoding, length] = [headers.get('transfer-encoding'), headers.get('content-length')];
    if (encoding !== undefined) yield* chunkedBody(reader, encoding);
    else if (length !== undefined) yield* reader.exactly(wholeNumber(length, 10));
    else for (let bytes = await reader.some(); bytes !== undefined; bytes = await reader.some()) yield bytes;
  } finally {
    await reader.close();
  }
}

async function* chunkedBody(reader: ByteReader, encoding: string): AsyncGenerator<Uint8Array, void> {
  if (encoding.toLowerCase() !== 'chunked')
    throw new Error(`it answers in the encoding ${encoding}, without being asked to`);
  for (;;) {
    const [size = ''] = (await reader.line()).split(';');
    const bytes = wholeNumber(size.trim(), 16);
    if (bytes === 0) break;
    yield* reader.exactly(bytes);
    if ((await reader.line()) !== '') throw new Error('it sent a chunk of another length than it said');
  }
  await readHeaders(reader);
}

function wholeNumber(text: string, base: 10 | 16): number {
  const number = (base === 10 ? /^\d+$/ : /^[\da-f]+$/i).test(text) ? Number.parseInt(text, base) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw new Error('it sent a length that is none');
  return number;
}
