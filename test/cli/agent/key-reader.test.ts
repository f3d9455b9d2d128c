import { expect } from 'chai';
import { KeyReader } from '#cli/attach/key-reader.ts';

describe('the key reader of an attached window', () => {
  const read = (...chunks: string[]) => {
    const reader = new KeyReader();
    return chunks.flatMap((chunk) => reader.read(chunk));
  };

  it('returns text, and keys by name', () => {
    expect(read('ls -l\r')).to.deep.equal([{ inputs: [{ text: 'ls -l' }, { key: 'Enter' }] }]);
    expect(read('\u001b', '\u001b[A', 'ü'), 'a lone escape is a key').to.deep.equal([
      { inputs: [{ key: 'Escape' }] },
      { inputs: [{ key: 'Up' }] },
      { inputs: [{ text: 'ü' }] },
    ]);
  });

  it('returns commands after Ctrl-b, which typed twice is a key', () => {
    expect(read('\u0002d')).to.deep.equal([{ command: 'd' }]);
    expect(read('\u0002', 'txy')).to.deep.equal([{ command: 't' }, { inputs: [{ text: 'xy' }] }]);
    expect(read('a\u0002\u0002d')).to.deep.equal([
      { inputs: [{ text: 'a' }] },
      { inputs: [{ key: 'C-b' }] },
      { inputs: [{ text: 'd' }] },
    ]);
  });

  it('returns a paste as one text, with any keys in it, however it arrives', () => {
    const paste = { inputs: [{ paste: 'one\ntwo\u0002d' }] };
    expect(read('\u001b[200~one\r\ntwo\u0002d\u001b[201~x')).to.deep.equal([paste, { inputs: [{ text: 'x' }] }]);
    expect(read('\u001b[20', '0~one\rtw', 'o\u0002d\u001b[2', '01~')).to.deep.equal([paste]);
    expect(read('\u001b[200~\u001b[201~')).to.deep.equal([]);
  });

  it('splits input to a call’s limit, and splits no character', () => {
    const [{ inputs } = { inputs: [] }] = read(`\u001b[200~${'😀'.repeat(50_001)}\u001b[201~`) as [
      { inputs: { paste: string }[] },
    ];
    expect(inputs.map(({ paste }) => [...paste].length)).to.deep.equal([50_000, 1]);
    const [typed] = read('x'.repeat(1_500)) as [{ inputs: { text: string }[] }];
    expect(typed.inputs.map(({ text }) => text.length)).to.deep.equal([1_000, 500]);
  });
});
