import { expect } from 'chai';
import { patternFault } from '#contract/pane/pattern-safety.ts';

describe('a pattern of a rule', () => {
  for (const source of [
    '^❯ \\d+[.)] .*$',
    '(?:a+){0,9}b',
    '(a|b)*c',
    '[(+*]+\\)+x+',
    '\\(+\\++',
    '(?<word>\\w+) \\k<word>',
    '^(?=.*x)(?!.*y).*$',
    '\\p{L}+\\u{1f300}+',
    '(?:[^()]* )?end',
    'a{2,}b{3}',
  ]) {
    it(`is accepted: ${source}`, () => {
      expect(patternFault(source)).to.equal(undefined);
    });
  }

  for (const source of [
    '(a+)+$',
    '(?:\\w+ ?)*$',
    '(?:a*){2,}',
    '((a+)b)*',
    '(?:(?:x{1,})y){10}',
    '(?<n>[(]+)*',
    '(?:a|(?:b|c+))*?d',
    '(.*,){11}P',
  ]) {
    it(`is refused: ${source}`, () => {
      expect(patternFault(source)).to.match(/repeats/);
    });
  }

  it('has the flag u, and a readable length', () => {
    expect(patternFault('[')).to.match(/^is not a valid regular expression/);
    expect(patternFault('\\-')).to.match(/^is not a valid regular expression/);
    expect(patternFault('x'.repeat(1001))).to.match(/1001 characters/);
  });
});
