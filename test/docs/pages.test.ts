import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { pages } from '#service/write-docs.ts';

describe('the pages made from the code', () => {
  for (const [path, page] of Object.entries(pages)) {
    it(`${path} is what npm run docs writes`, () => {
      const committed = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
      expect(committed, 'stale: run npm run docs').to.equal(page());
    });
  }

  it('docs/reference/ has no page of a missing service', () => {
    const there = readdirSync(new URL('../../docs/reference/', import.meta.url)).map(
      (name) => `docs/reference/${name}`,
    );
    expect(there.toSorted()).to.deep.equal(
      Object.keys(pages)
        .filter((path) => path.startsWith('docs/reference/'))
        .toSorted(),
    );
  });

  it('links between pages lead to existing headings', () => {
    const texts = Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, page()]));
    for (const [path, page] of Object.entries(texts)) {
      for (const [, file = path.split('/').at(-1), anchor = ''] of page.matchAll(
        /\]\(([\w-]+\.md)?(?:#([\w-]+))?\)/g,
      )) {
        const target = texts[`docs/reference/${file}`] ?? '';
        expect(target, `${path} names ${file}`).not.to.equal('');
        if (anchor !== '')
          expect(target.toLowerCase(), `${path} names ${file}#${anchor}`).to.include(`\n## ${anchor}\n`);
      }
    }
  });
});
