import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { webAddress } from '#page/parts/web-address.ts';

describe('an address from a forge', () => {
  for (const address of [
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    'ssh://h',
    'x',
  ]) {
    it(`is not a link if it is ${JSON.stringify(address)}`, () => {
      expect(webAddress(address)).to.equal(undefined);
    });
  }

  it('is a link only after a check, everywhere on the page', () => {
    const folder = join(import.meta.dirname, '../../../src/page');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
    const loose = files.flatMap((name) =>
      [
        ...readFileSync(join(folder, name), 'utf8').matchAll(
          /\b(?:href|src|action)=\{(?!webAddress\()[^}]*[uU]rl[^}]*\}/g,
        ),
      ].map(([found]) => `${name}: ${found}`),
    );
    expect(loose).to.deep.equal([]);
  });
});
