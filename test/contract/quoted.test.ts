import { expect } from 'chai';
import { z } from 'zod';
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
    expect(refused).to.throw(/^id .*\(given: "\/😀{78}…"\)$/u);
  });
});
