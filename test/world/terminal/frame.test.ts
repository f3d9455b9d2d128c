import { expect } from 'chai';
import { frameOf } from '#world/terminal/frame.ts';

const frame = (text: string): number | undefined => frameOf(Buffer.from(text));

describe('a frame of output', () => {
  it('has the same number if only digits and colours differ', () => {
    const first = frame('\x1b[12;1H\x1b[2m\x1b[38;5;208m✻\x1b[39m Thinking… (9s · 1.2k tokens)\x1b[0m\x1b[K');
    expect(frame('\x1b[8;1H\x1b[38;2;1;2;3m✻\x1b[m Thin\x1b[1mking… (10s · 31.05k tokens)\x1b[K')).to.equal(first);
  });

  it('has another number after any other difference', () => {
    const all = [
      '✻ Thinking… (9s)',
      '✽ Thinking… (9s)',
      '✻ Thinking… (s)',
      '✻ Tinkering… (9s)',
      '✻ Thinking… (9s)\x1b[K',
      '✻ Thinking… (9s)\x1b[J',
      '✻ Thinking… (9s)\r\n',
      '✻ Thinking… (9s)\x1b[38;5',
      '',
    ];
    expect(new Set(all.map(frame)).size).to.equal(all.length);
  });

  it('has none if the output is too long for a spinner', () => {
    expect(frame('x'.repeat(4_096))).to.be.a('number');
    expect(frame('x'.repeat(4_097))).to.equal(undefined);
  });
});
