import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect } from 'chai';
import { onClientError } from '#gateway/http/failure-reply.ts';
import { type DualServer, dualServer } from '#gateway/http/http-server.ts';
import { moment } from '#test/support/moment.ts';

const request = (path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer one\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`;
const refusal = 'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 0\r\n\r\n';

describe('a connection before the parser', () => {
  let dual: DualServer;
  let isFull: boolean;
  /** The paths that reached the parser, and those that were refused before it. */
  let parsed: string[];
  let refused: string[];
  const sockets: Socket[] = [];
  /** The connection that the server took last, as it sees it. */
  let taken: Socket | undefined;

  beforeEach(async () => {
    [isFull, parsed, refused] = [false, [], []];
    const early = {
      mayRefuse: () => isFull,
      refusalOf: ({ path }: { readonly path: string }) => {
        refused.push(path);
        return Buffer.from(refusal);
      },
    };
    dual = dualServer(
      ({ url = '' }, response) => {
        parsed.push(url);
        response.end('done');
      },
      early,
      undefined,
    );
    dual.server.on('clientError', onClientError as (error: Error, socket: Duplex) => void);
    dual.server.on('connection', (socket) => {
      taken = socket;
    });
    dual.server.listen(0, '127.0.0.1');
    await once(dual.server, 'listening');
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    dual.closeAll();
    dual.server.close();
  });

  async function open(): Promise<{
    readonly socket: Socket;
    say(text: string): void;
    hears(text: string): Promise<void>;
  }> {
    const { port } = dual.server.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    sockets.push(socket);
    let heard = '';
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1');
    });
    await once(socket, 'connect');
    return {
      socket,
      say: (text) => void socket.write(text, 'latin1'),
      async hears(text) {
        await moment(`to hear ${text}`, () => heard.includes(text));
        heard = '';
      },
    };
  }

  it('is refused early, repeatedly, and served as soon as there is room', async () => {
    const { say, hears } = await open();
    isFull = true;
    for (const path of ['/a', '/b']) {
      say(request(path));
      await hears('429');
    }
    isFull = false;
    say(request('/c'));
    await hears('done');
    isFull = true;
    say(request('/d'));
    await hears('429');
    isFull = false;
    say(request('/e'));
    await hears('done');
    expect(parsed).to.deep.equal(['/c', '/e']);
    expect(refused).to.deep.equal(['/a', '/b', '/d']);
  });

  it('accepts no request within another one’s body', async () => {
    const { say, hears } = await open();
    say('POST /a HTTP/1.1\r\nHost: here\r\nContent-Length: 400\r\n\r\n');
    await moment('it is parsed', () => parsed.length === 1);
    isFull = true;
    const before = taken?.bytesRead ?? 0;
    say(request('/b'));
    await moment('it is read by itself', () => taken?.bytesRead === before + request('/b').length);
    const rest = 400 - request('/b').length;
    say(`${'x'.repeat(rest)}${request('/c')}`);
    await moment('the next one is parsed', () => parsed.length === 2);
    await hears('done');
    expect(parsed).to.deep.equal(['/a', '/c']);
    expect(refused, 'what is in a body is no request').to.deep.equal([]);
  });

  it('is left to the parser for good once requests come in pieces, or several at once', async () => {
    for (const [first, ...more] of [[request('/a').slice(0, 20), request('/a').slice(20)], [request('/a').repeat(2)]]) {
      parsed = [];
      isFull = false;
      const { say, hears } = await open();
      say(first ?? '');
      for (const text of more) {
        await moment('the first piece is read', () => taken?.bytesRead === first?.length);
        say(text);
      }
      await hears('done');
      const before = parsed.length;
      isFull = true;
      say(request('/b'));
      await moment('it is parsed', () => parsed.length > before && parsed.at(-1) === '/b');
    }
    expect(refused).to.deep.equal([]);
  });

  it('is closed, at a staggered time, if no request head arrives in time', async () => {
    const since = performance.now();
    const ended: number[] = [];
    const crowd = await Promise.all(Array.from({ length: 20 }, () => open()));
    for (const { socket, say } of crowd) {
      say('POST / HTTP/1.1\r\nX: ');
      socket.on('close', () => ended.push(performance.now() - since));
    }
    const drip = setInterval(() => {
      for (const { socket, say } of crowd) if (socket.writable) say('x');
    }, 100);
    try {
      await moment('all of them to be ended', () => ended.length === crowd.length, 12_000);
    } finally {
      clearInterval(drip);
    }
    const [first = 0] = ended;
    const last = ended.at(-1) ?? 0;
    expect(last).to.be.below(10_000);
    expect(last - first, 'a thousand at once would hold up everybody').to.be.above(1_000);
  });
});
