import { expect } from 'chai';
import { z } from 'zod';
import { enumeration, timestamp, words } from '#contract/message.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { quoted } from '#contract/quoted.ts';

describe('a value in a message', () => {
  it('is quoted as JSON, in full if it is short', () => {
    expect(quoted('a"b\n')).to.equal('"a\\"b\\n"');
    expect(quoted('😀'.repeat(200))).to.equal(`"${'😀'.repeat(200)}"`);
    expect(quoted({ a: 1 })).to.equal('{"a":1}');
    expect(quoted(undefined)).to.equal('undefined');
  });

  it('is cut if it is long, and never inside a character', () => {
    expect(quoted('😀'.repeat(201))).to.equal(`"${'😀'.repeat(199)}…"`);
    for (const max of [3, 4, 5, 6]) {
      expect(quoted(`/${'😀'.repeat(9)}`, max)).to.equal(`"/${'😀'.repeat(max - 2)}…"`);
    }
    expect(quoted(['x'.repeat(9)], 5)).to.equal('["xx…');
  });

  it('keeps a request’s refusal short', () => {
    const request = { id: `/${'😀'.repeat(1_000_000)}` };
    const refused = () => parseRequest(z.object({ id: z.string().max(3) }), request);
    expect(refused).to.throw(/^id must have at most 3 characters .*\(given: "\/😀{78}…"\)$/u);
  });

  it('is refused once, with what is accepted, and if it has only white space', () => {
    const said = (schema: z.ZodType, value: unknown): string => {
      try {
        parseRequest(z.object({ it: schema }), { it: value });
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
      return '';
    };
    const kind = enumeration('test.v1.Kind', { KIND_UNSPECIFIED: 'None.', KIND_ONE: 'One.', KIND_TWO: 'Two.' });
    expect(said(kind, 'THREE')).to.equal('it must be one of KIND_ONE, KIND_TWO (given: "THREE")');
    expect(said(z.int32().min(0).max(9), 2 ** 31)).to.equal('it must be at most 9 (given: 2147483648)');
    expect(said(z.int32().min(0), -1)).to.equal('it must be at least 0 (given: -1)');
    expect(said(timestamp(), 'noon')).to.match(/^it must be a time in RFC 3339, such as 2026/);
    expect(said(z.array(z.string()).min(1), [])).to.equal('it must have at least 1 entry (given: [])');
    for (const blank of [' ', '\n\t', '\u00a0']) expect(said(words(9), blank)).to.match(/^it has only white space/);
    expect(said(words(9), '') + said(words(9), ' a ')).to.equal('');
  });
});
