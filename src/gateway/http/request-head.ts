/** The parts of a request that decide about it before the rest is read. */
export interface RequestHead {
  readonly path: string;
  readonly authorization: string;
  readonly contentType: string;
}

const requestLine = /POST (\/[!-~]*) HTTP\/1\.1\r\n/y;
const headerLine = /([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([!-~](?:[ \t!-~]*[!-~])?)?[ \t]*\r\n/y;
const headEnd = Buffer.from('\r\n\r\n');
/** Headers that change how a request must be read. */
const uncommon = new Set([
  'transfer-encoding',
  'expect',
  'upgrade',
  'trailer',
  'te',
  'http2-settings',
  'proxy-connection',
]);
/** The headers that decide. Each may occur once. */
type DecidingHeader = 'host' | 'authorization' | 'content-type' | 'content-length';
const decidingHeaders: ReadonlySet<string> = new Set<DecidingHeader>([
  'host',
  'authorization',
  'content-type',
  'content-length',
]);

/**
 * Parses the bytes of a plain HTTP/1.1 POST: exactly one request with its whole body and an Authorization header.
 * Undefined for anything else, which is left to node's own parser, as is every request that is not refused. The parser
 * is strict, so that no bytes can be interpreted as one request here and as another there.
 */
export function readRequestHead(bytes: Buffer): RequestHead | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end + 2);
  requestLine.lastIndex = 0;
  const path = requestLine.exec(head)?.[1];
  if (path === undefined) return undefined;
  const given = readHeaders(head, requestLine.lastIndex);
  const { host, authorization, 'content-type': contentType, 'content-length': length = '' } = given ?? {};
  if (host === undefined || authorization === undefined || contentType === undefined) return undefined;
  if (!/^[0-9]{1,6}$/.test(length) || end + headEnd.length + Number(length) !== bytes.length) return undefined;
  return { path, authorization, contentType };
}

/** Reads the headers that decide; undefined if one occurs twice, or if there is an uncommon header. */
function readHeaders(head: string, start: number): Partial<Record<DecidingHeader, string>> | undefined {
  const given: Partial<Record<DecidingHeader, string>> = {};
  headerLine.lastIndex = start;
  for (let at = start; at < head.length; at = headerLine.lastIndex) {
    const [, written, value = ''] = headerLine.exec(head) ?? [];
    if (written === undefined) return undefined;
    const name = written.toLowerCase();
    if (uncommon.has(name) || (name === 'connection' && value.toLowerCase() !== 'keep-alive')) return undefined;
    if (!isDeciding(name)) continue;
    if (given[name] !== undefined) return undefined;
    given[name] = value;
  }
  return given;
}

function isDeciding(name: string): name is DecidingHeader {
  return decidingHeaders.has(name);
}
