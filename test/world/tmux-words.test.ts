import { expect } from 'chai';
import fc from 'fast-check';
import { type Block, ControlParser } from '#world/tmux/control-parser.ts';
import { pastedText } from '#world/tmux/pasted-text.ts';
import { StatusScanner } from '#world/tmux/status-scanner.ts';
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

describe('the words of tmux', () => {
  it('are understood however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(40)), (sizes) => {
        expect(parse(conversation, sizes)).to.deep.equal(expected);
      }),
    );
  });

  it('tell the last status, however its sequence is cut and ended', () => {
    const sequences = [
      '\\033]7501;state=idle\\007',
      '\\033]7501;state=blocked:msg=w6k=\\033\\134',
      '\\033Ptmux;\\033\\033]7501;state=wörking\\007\\033\\134',
      '\\033]9;4;3;50\\033\\134',
      '\\033]2;state of 7501;state=no\\007 \\033[31m 7501;state=never',
      '\\033]7501;broken\\015\\012',
      `\\033]7501;${'long'.repeat(2000)}\\007`,
    ];
    const wanted = ['state=idle', 'state=blocked:msg=w6k=', 'state=wörking'];
    fc.assert(
      fc.property(
        fc.array(fc.nat(sequences.length - 1), { maxLength: 6 }),
        fc.infiniteStream(fc.nat(25)),
        (picks, cuts) => {
          const scanner = new StatusScanner();
          for (const pick of picks) {
            const units = (sequences[pick] ?? '').match(/\\[0-7]{3}|[^\\]/gu)?.map((unit) => Buffer.from(unit)) ?? [];
            while (units.length > 0) scanner.feed(Buffer.concat(units.splice(0, 1 + (cuts.next().value ?? 0))));
          }
          const last = picks.findLast((pick) => pick < wanted.length);
          expect(scanner.status.programStatus).to.equal(last === undefined ? '' : wanted[last]);
          expect(scanner.status.progress).to.equal(picks.includes(3) ? '3;50' : '');
        },
      ),
    );
  });

  it('forget a status after which output was missed', () => {
    const scanner = new StatusScanner();
    expect(scanner.feed(Buffer.from('\\033]7501;state=idle\\007'))).to.equal(true);
    expect(scanner.feed(Buffer.from('plain'))).to.equal(false);
    scanner.feed(Buffer.from('\\033]7501;sta'));
    scanner.forget();
    scanner.feed(Buffer.from('te=idle\\007'));
    expect(scanner.status).to.deep.equal({ programStatus: '', progress: '' });
  });

  it('do not occur in a text that is pasted, nor in the name of a window', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const pasted = pastedText(text);
        expect(pasted).to.match(/^(?:[\n\t]|[^\p{Cc}])*$/u);
        expect(pastedText(pasted)).to.equal(pasted);
        expect(windowName(text, 'agt_1')).to.match(/^[^#\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]{1,100}$/u);
      }),
      { numRuns: 500 },
    );
    expect(windowName(' \n', 'agt_1')).to.equal('agt_1');
    expect([...windowName('🎉'.repeat(300), 'agt_1')]).to.have.length(100);
  });
});
