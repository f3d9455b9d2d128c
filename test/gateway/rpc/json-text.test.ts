import { expect } from 'chai';
import fc from 'fast-check';
import { Failure } from '#contract/failure.ts';
import { parseJson } from '#gateway/rpc/json-text.ts';

const forbidden = /"(__proto__|constructor|prototype)":/;
const refused = (text: string) => expect(() => parseJson(text), text.slice(0, 40)).to.throw(Failure);

describe('the gateway’s JSON parser', () => {
  it('agrees with JSON.parse', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 2), (text, space) => {
        fc.pre(!forbidden.test(text) && !/[0-9]{16}|[0-9]e[+-]?[0-9]/i.test(text));
        const value = JSON.parse(text) as unknown;
        expect(parseJson(JSON.stringify(value, undefined, space))).to.deep.equal(value);
      }),
    );
  });

  it('keeps the digits of integers that JavaScript would round, and exponents', () => {
    expect(parseJson('{"a":9007199254740993,"b":[-9007199254740992,9007199254740991,1e3,-2E-4,0.5]}')).to.deep.equal({
      a: '9007199254740993',
      b: ['-9007199254740992', 9007199254740991, '1e3', '-2E-4', 0.5],
    });
  });

  it('reads no repeated name, in any spelling', () => {
    refused('{"a":1,"a":1}');
    refused('{"a":1,"\\u0061":2}');
    refused('{"x":[{"b":{},"c":"}","b":[]}]}');
    expect(parseJson('{"a":{"a":{"b":"a"}},"b":[{"a":1},{"a":2}],"c":"{\\"a\\":1,\\"a\\":2}"}')).to.be.an('object');
  });

  it('refuses a repeated name at any place', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), (name, first, second) => {
        const key = JSON.stringify(name);
        refused(`[0,{${key}:${JSON.stringify(first)},"other ${name.length}":1,${key}:${JSON.stringify(second)}}]`);
      }),
    );
  });

  it('reads no prototype key', () => {
    for (const name of ['__proto__', 'constructor', 'prototype', '__pro\\u0074o__'])
      refused(`{"a":{"${name}":{"x":1}}}`);
    expect(parseJson('{"a":"__proto__"}')).to.deep.equal({ a: '__proto__' });
  });

  it('accepts 64 levels at most, quickly', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(parseJson(deep(64))).to.be.an('array');
    refused(deep(65));
    const started = performance.now();
    refused(deep(200_000));
    refused(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`);
    expect(performance.now() - started).to.be.below(10_000);
  });

  it('refuses empty and truncated texts', () => {
    for (const text of ['', ' \n', '{', '{"a":}', "{'a':1}", '{"a":1,}', 'NaN', '{"a":1}{"a":1}', '\u0000'])
      refused(text);
  });
});
