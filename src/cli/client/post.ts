import { connect, isIP, type Socket } from 'node:net';
import { ByteReader } from './byte-reader.ts';
import { bodyOf, readHead } from './http-answer.ts';

/** A request to post. */
export interface PostRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/** An answer whose headers have arrived. Its body can be read once, as bytes or text. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
}

/**
 * Posts over a new connection, without following redirects. It replaces `node:http`, which takes a quarter of the time of
 * a command, and `fetch`, which takes longer to load than a call should. Rejects with Node's error of the connection, or
 * with the signal's reason.
 */
export async function postTo(url: string, request: PostRequest): Promise<Answer> {
  const address = new URL(url);
  const sent = bytesOf(address, request);
  const { signal } = request;
  signal?.throwIfAborted();
  const socket = connectionTo(address);
  socket.write(sent);
  const reader = new ByteReader(chunksOf(socket, signal));
  const head = await readHead(reader);
  const body = bodyOf(head, reader);
  return {
    status: head.status,
    contentType: head.headers.get('content-type') ?? '',
    body,
    text: () => textOf(body),
  };
}

function connectionTo({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol !== 'https:') return connect({ host, port: Number(port || 80) });
  const name = isIP(host) === 0 ? { servername: host } : {};
  // TLS is loaded only here, because it takes longer to load than a command.
  const tls = process.getBuiltinModule('node:tls');
  return tls.connect({ host, port: Number(port || 443), ALPNProtocols: ['http/1.1'], ...name });
}

/** @throws Error when a header has a character that HTTP does not allow */
function bytesOf({ host, pathname, search }: URL, { headers, body }: PostRequest): Buffer {
  const bytes = Buffer.from(body);
  const all = { host, ...headers, 'content-length': String(bytes.length), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => {
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
      throw new Error(`the header ${name} has a character that HTTP does not allow`);
    return `${name}: ${value}\r\n`;
  });
  return Buffer.concat([Buffer.from(`POST ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), bytes]);
}

async function* chunksOf(socket: Socket, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array, void> {
  const abort = (): void => void socket.destroy(signal?.reason);
  signal?.addEventListener('abort', abort);
  // An error while nobody reads; whoever does gets it from the iterator.
  socket.on('error', () => undefined);
  try {
    // Otherwise the end of the body is an error that Node makes, of which it reads the stack.
    yield* socket.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    signal?.removeEventListener('abort', abort);
    socket.destroy();
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
