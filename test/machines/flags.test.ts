import { expect } from 'chai';
import { splitFlags } from '#machines/flags.ts';

describe('splitting flags into words', () => {
  const cases: readonly (readonly [flags: string, words: string[] | undefined])[] = [
    ['', []],
    ['  --model  opus ', ['--model', 'opus']],
    ['--append "two words" --x', ['--append', 'two words', '--x']],
    ["'it is' --k='a b'", ['it is', '--k=a b']],
    ['a\\ b "c\\"d"', ['a b', 'c"d']],
    ['""', ['']],
    ['$(id) `id` ;', ['$(id)', '`id`', ';']],
    ['--bad "open', undefined],
    ["--bad 'open", undefined],
    ['trailing\\', undefined],
  ];
  for (const [flags, words] of cases) {
    it(`${JSON.stringify(flags)} is ${JSON.stringify(words)}`, () => expect(splitFlags(flags)).to.deep.equal(words));
  }
});
