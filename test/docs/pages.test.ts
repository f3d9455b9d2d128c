import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { pages } from '#service/write-docs.ts';

describe('the pages made from the code', () => {
  for (const [path, page] of Object.entries(pages)) {
    it(`${path} is what npm run docs writes`, () => {
      const committed = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
      expect(committed, 'stale: run npm run docs').to.equal(page());
    });
  }
});
