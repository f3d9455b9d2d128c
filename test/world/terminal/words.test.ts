import { expect } from 'chai';
import fc from 'fast-check';
import { pastedText } from '#world/terminal/pasted-text.ts';
import { StatusScanner } from '#world/terminal/status-scanner.ts';

const scanner = () => new StatusScanner();

describe('the status sequences of a terminal', () => {
  it('report the last status, however they are split and terminated', () => {
    const sequences = [
      '\u001b]7501;state=idle\u0007',
      '\u001b]7501;state=blocked:msg=w6k=\u001b\\',
      '\u001bPtmux;\u001b\u001b]7501;state=wörking\u0007\u001b\\',
      '\u001b]9;4;3;50\u001b\\',
      '\u001b]2;state of 7501;state=no\u0007 \u001b[31m 7501;state=never',
      '\u001b]7501;broken\r\n',
      `\u001b]7501;${'long'.repeat(2000)}\u0007`,
    ];
    const wanted = ['state=idle', 'state=blocked:msg=w6k=', 'state=wörking'];
    fc.assert(
      fc.property(
        fc.array(fc.nat(sequences.length - 1), { maxLength: 6 }),
        fc.infiniteStream(fc.nat(25)),
        (picks, cuts) => {
          const one = scanner();
          for (const pick of picks) {
            const bytes = Buffer.from(sequences[pick] ?? '');
            for (let from = 0; from < bytes.length; ) {
              const to = from + 1 + (cuts.next().value ?? 0);
              one.feed(bytes.subarray(from, to));
              from = to;
            }
          }
          const last = picks.findLast((pick) => pick < wanted.length);
          expect(one.status.programStatus).to.equal(last === undefined ? '' : wanted[last]);
          expect(one.status.progress).to.equal(picks.includes(3) ? '3;50' : '');
        },
      ),
    );
  });

  it('are tracked across plain output once begun', () => {
    const one = scanner();
    one.feed(Buffer.from('plain'));
    expect(one.isWithin).to.equal(false);
    one.feed(Buffer.from('\u001b]7501;state='));
    expect(one.isWithin).to.equal(true);
    one.feed(Buffer.from('idle\u0007'));
    expect([one.isWithin, one.status.programStatus]).to.deep.equal([false, 'state=idle']);
  });

  it('drop a status after missed output', () => {
    const one = scanner();
    expect(one.feed(Buffer.from('\u001b]7501;state=idle\u0007'))).to.equal(true);
    expect(one.feed(Buffer.from('plain'))).to.equal(false);
    one.feed(Buffer.from('\u001b]7501;sta'));
    one.forget();
    one.feed(Buffer.from('te=idle\u0007'));
    expect(one.status).to.deep.equal({ programStatus: '', progress: '' });
  });

  it('do not occur in pasted text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const pasted = pastedText(text);
        expect(pasted).to.match(/^(?:[\n\t]|[^\p{Cc}])*$/u);
        expect(pastedText(pasted)).to.equal(pasted);
      }),
      { numRuns: 500 },
    );
  });
});
