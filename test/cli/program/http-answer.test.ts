import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { ByteReader } from '#cli/client/byte-reader.ts';
import { bodyOf, readHead } from '#cli/client/http-answer.ts';
import { postTo } from '#cli/client/post.ts';

/** Reads an answer that arrives in these pieces. */
async function readIn(
  pieces: readonly Uint8Array[],
): Promise<{ status: number; type: string | undefined; text: string }> {
  const reader = new ByteReader(
    (async function* () {
      yield* pieces;
    })(),
  );
  const head = await readHead(reader);
  const chunks = [];
  for await (const chunk of bodyOf(head, reader)) chunks.push(chunk);
  return { status: head.status, type: head.headers.get('content-type'), text: Buffer.concat(chunks).toString() };
}

const read = (answer: string) => readIn([Buffer.from(answer)]).catch((error: Error) => error.message);

describe('an answer of HTTP', () => {
  it('is read the same, wherever the network splits it', async () => {
    const sent = Buffer.from(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type:  text/plain \r\nTransfer-Encoding: chunked\r\n\r\n' +
        '5;x=1\r\nä€\r\nA\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\n',
    );
    const whole = { status: 200, type: 'text/plain', text: 'ä€0123456789' };
    for (let cut = 0; cut <= sent.length; cut += 1) {
      expect(await readIn([sent.subarray(0, cut), sent.subarray(cut)])).to.deep.equal(whole);
    }
    expect(await readIn([...sent].map((byte) => Buffer.of(byte)))).to.deep.equal(whole);
  });

  it('ends after its length, or with the connection', async () => {
    expect(await read('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}more')).to.include({ text: '{}' });
    expect(await read('HTTP/1.0 404 Not Found\n\n<html>')).to.include({ status: 404, text: '<html>' });
    expect(await read('HTTP/1.1 204\r\ncontent-length: 0\r\n\r\n')).to.include({ status: 204, text: '' });
  });

  it('is refused if it is torn, or no HTTP', async () => {
    const torn = 'it broke off its answer';
    expect(await read('')).to.equal(torn);
    expect(await read('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n{}')).to.equal(torn);
    expect(await read('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{}')).to.equal(torn);
    expect(await read('SSH-2.0-OpenSSH_9.2\r\n')).to.equal('it does not answer in HTTP');
    for (const length of ['-1', '1e3', '', '2, 2', '99999999999999999999']) {
      expect(await read(`HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n{}`)).to.match(/a length that is none/);
    }
    const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    expect(await read(`${chunked}zz\r\n`)).to.match(/a length that is none/);
    expect(await read(`${chunked}1\r\n{}\r\n0\r\n\r\n`)).to.match(/a chunk of another length/);
    expect(await read('HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n')).to.match(/in the encoding gzip/);
    expect(await read(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(1_001)}\r\n`)).to.match(/more than 1000 headers/);
    expect(await read(`HTTP/1.1 200 ${'x'.repeat(20_000)}`)).to.match(/a line of more than/);
  });
});

describe('a post', () => {
  it('sends one request, and ends with its signal, also before the answer', async () => {
    const requests: string[] = [];
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on('data', (bytes) => requests.push(bytes.toString())).on('error', () => undefined));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const leaving = new AbortController();
      const posted = postTo(`http://127.0.0.1:${port}/a/b?c=d`, {
        headers: { x: 'y' },
        body: 'ä',
        signal: leaving.signal,
      });
      const failed = posted.then(
        () => 'answered',
        (error: Error) => error.message,
      );
      await once(server, 'connection');
      const [socket] = sockets;
      if (requests.length === 0 && socket !== undefined) await once(socket, 'data');
      leaving.abort(new Error('left'));
      expect(await failed).to.equal('left');
      const late = postTo(`http://127.0.0.1:${port}/`, { headers: {}, body: '', limitMs: 1 });
      expect(await late.catch(({ name }: Error) => name)).to.equal('TimeoutError');
      expect(requests[0]).to.equal(
        `POST /a/b?c=d HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nx: y\r\ncontent-length: 2\r\nconnection: close\r\n\r\nä`,
      );
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });

  it('sends no header that would end early', async () => {
    const posted = postTo('http://127.0.0.1:1/', { headers: { authorization: 'Bearer a\r\nx: y' }, body: '' });
    expect(await posted.catch((error: Error) => error.message)).to.equal(
      'the header authorization has a character that HTTP does not allow',
    );
  });
});
