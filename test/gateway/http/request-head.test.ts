import { expect } from 'chai';
import { readRequestHead } from '#gateway/http/request-head.ts';

const plain = [
  'POST /agent.v1.AgentService/GetAgent HTTP/1.1',
  'Host: 127.0.0.1:7433',
  'Authorization: Bearer one',
  'Content-Type: application/json',
  'Content-Length: 2',
  '',
  '{}',
];
/** The plain request with one of its lines in another form, or with more lines beside it. */
const withLine = (at: number, ...lines: string[]) => plain.toSpliced(at, 1, ...lines).join('\r\n');
const read = (text: string) => readRequestHead(Buffer.from(text, 'latin1'));

describe('a request that is read from its bytes', () => {
  it('has its path, caller and content type', () => {
    const told = {
      path: '/agent.v1.AgentService/GetAgent',
      authorization: 'Bearer one',
      contentType: 'application/json',
    };
    expect(read(plain.join('\r\n'))).to.deep.equal(told);
    expect(read(withLine(2, 'aUTHORIZATION:Bearer one \t', 'X-Empty:', 'Connection: keep-alive'))).to.deep.equal(told);
    expect(read(withLine(6, '{"host":"\r\n\r\n"}').replace('Length: 2', 'Length: 15'))).to.deep.equal(told);
  });

  const others: Readonly<Record<string, string>> = {
    'is not whole': plain.join('\r\n').slice(0, -1),
    'has no whole head': plain.slice(0, 4).join('\r\n'),
    'is followed by another': plain.join('\r\n').repeat(2),
    'is a GET': withLine(0, 'GET / HTTP/1.1'),
    'is of HTTP/1.0': withLine(0, 'POST / HTTP/1.0'),
    'names a whole address': withLine(0, 'POST http://127.0.0.1/ HTTP/1.1'),
    'has two spaces before its path': withLine(0, 'POST  / HTTP/1.1'),
    'names no host': withLine(1, 'X: y'),
    'names two hosts': withLine(1, 'Host: a', 'Host: b'),
    'names no caller': withLine(2, 'X: y'),
    'names two callers': withLine(2, 'Authorization: Bearer one', 'Authorization: Bearer two'),
    'has no content type': withLine(3, 'X: y'),
    'has two content types': withLine(3, 'Content-Type: application/json', 'Content-Type: application/proto'),
    'has no length': withLine(4, 'X: y'),
    'has two lengths': withLine(4, 'Content-Length: 2', 'Content-Length: 2'),
    'has a signed length': withLine(4, 'Content-Length: +2'),
    'has a length in hex': withLine(4, 'Content-Length: 0x2'),
    'is chunked': withLine(4, 'Content-Length: 2', 'Transfer-Encoding: chunked'),
    'expects to be let in': withLine(4, 'Content-Length: 2', 'Expect: 100-continue'),
    'asks for another protocol': withLine(4, 'Content-Length: 2', 'Upgrade: h2c'),
    'ends its connection': withLine(4, 'Content-Length: 2', 'Connection: close'),
    'has a space before a colon': withLine(2, 'Authorization : Bearer one'),
    'has a folded line': withLine(2, 'Authorization: Bearer one', ' and more'),
    'has a bare line feed in a line': withLine(2, 'Authorization: Bearer one\nX: y'),
    'has a bare return in a line': withLine(2, 'Authorization: Bearer one\rX: y'),
    'has a null byte': withLine(2, 'Authorization: Bearer one\0'),
    'has a line without a colon': withLine(2, 'Authorization: Bearer one', 'X'),
  };
  for (const [how, text] of Object.entries(others)) {
    it(`is left to the parser if it ${how}`, () => {
      expect(read(text)).to.equal(undefined);
    });
  }
});
