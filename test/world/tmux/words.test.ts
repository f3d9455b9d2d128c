import { expect } from 'chai';
import fc from 'fast-check';
import { type Block, ControlParser } from '#world/tmux/control-parser.ts';
import { holdsEscape, unescapeBytes } from '#world/tmux/octal.ts';
import { windowName } from '#world/tmux/window-name.ts';

interface Heard {
  readonly blocks: Block[];
  readonly output: string[];
  readonly notices: string[];
}

/** Feeds bytes to a parser in pieces of the given sizes. */
function parse(bytes: Buffer, sizes: readonly number[]): Heard {
  const heard: Heard = { blocks: [], output: [], notices: [] };
  const parser = new ControlParser({
    block: (block) => heard.blocks.push(block),
    output: (pane, data) => heard.output.push(`${pane} ${data.toString('latin1')}`),
    notice: (name, rest) => heard.notices.push(`${name} ${rest}`),
  });
  let from = 0;
  for (const size of [...sizes, bytes.length]) {
    parser.feed(bytes.subarray(from, from + size));
    from += size;
  }
  return heard;
}

const conversation = Buffer.from(
  [
    '%begin 1 10 0',
    'of a hook',
    '%end 1 10 0',
    '%session-changed $0 muster',
    '%begin 1 11 1',
    'é 漢 🎉',
    '%end 1 10 1',
    '%output %1 not output',
    '%begin 1 11 1',
    '%end 1 11 1',
    '%output %1 a : b',
    '%extended-output %12 40 : c : d',
    '%begin 2 12 1',
    'parse error',
    '%error 2 12 1',
    '%exit',
    '',
  ].join('\n'),
);

const expected: Heard = {
  blocks: [
    { ok: true, lines: ['é 漢 🎉', '%end 1 10 1', '%output %1 not output', '%begin 1 11 1'] },
    { ok: false, lines: ['parse error'] },
  ],
  output: ['%1 a : b', '%12 c : d'],
  notices: ['session-changed $0 muster', 'exit '],
};

describe('tmux’s control protocol', () => {
  it('is parsed however it is split', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40)), (sizes) => {
        expect(parse(conversation, sizes)).to.deep.equal(expected);
      }),
    );
  });

  it('preserves the bytes that a program wrote', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const escaped = [...bytes].map((byte) =>
          byte < 0x20 ? `\\${byte.toString(8).padStart(3, '0')}` : byte === 0x5c ? '\\134' : String.fromCharCode(byte),
        );
        const told = Buffer.from(escaped.join(''), 'latin1');
        expect([...unescapeBytes(told)]).to.deep.equal([...bytes]);
        expect(holdsEscape(told)).to.equal(bytes.includes(0x1b));
      }),
    );
  });

  it('does not occur in the name of a window', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(windowName(text, 'agt_1')).to.match(/^[^#\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,100}$/u);
      }),
      { numRuns: 500 },
    );
    expect(windowName(' \n', 'agt_1')).to.equal('agt_1');
    expect([...windowName('🎉'.repeat(300), 'agt_1')]).to.have.length(100);
  });
});
