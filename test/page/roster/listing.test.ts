import { expect } from 'chai';
import { type Pages, rowsOf, stalePages, withFresh } from '#page/list/listing.ts';

const idOf = (row: string): string => row.slice(0, 1);
const pages: Pages<string> = [
  { rows: ['f', 'e'], next: 'e' },
  { rows: ['d', 'c'], next: 'c' },
  { rows: ['b', 'a'], next: '' },
];
const fresh = (...news: readonly [at: number, rows: readonly string[], next: string][]) =>
  withFresh(pages, new Map(news.map(([at, rows, next]) => [at, { rows, next }])), idOf);
const read = (all: Pages<string>) => rowsOf(all, idOf).join(' ');

describe('a paged listing', () => {
  it('keeps rows that new ones have pushed out of the first page', () => {
    const now = fresh([0, ['h', 'g'], 'g']);
    expect(read(now), 'nothing of the page is left: the listing begins anew').to.equal('h g');
    const one = fresh([0, ['g', 'f'], 'f']);
    expect(read(one)).to.equal('g f e d c b a');
    expect(one.at(-1)?.next).to.equal('');
  });

  it('shows rows that moved within a page, and omits removed ones', () => {
    expect(read(fresh([0, ['f', 'e'], 'e'], [1, ['d2', 'c'], 'c']))).to.equal('f e d2 c b a');
    expect(read(fresh([0, ['f', 'e'], 'e'], [1, ['c', 'b'], 'b']))).to.equal('f e c b a');
    expect(read(fresh([0, ['f', 'd'], 'd']))).to.equal('f d c b a');
  });

  it('shows a row that moved to the top once', () => {
    expect(read(fresh([0, ['b', 'f'], 'f']))).to.equal('b f e d c a');
  });

  it('reads on if the last page has grown, and ends with the list', () => {
    expect(fresh([0, ['f', 'e'], 'e'], [2, ['b', 'a'], 'a']).at(-1)?.next).to.equal('a');
    expect(fresh([0, ['f'], ''])).to.deep.equal([{ rows: ['f'], next: '' }]);
    expect(withFresh([], new Map([[0, { rows: ['a'], next: 'a' }]]), idOf)).to.deep.equal([{ rows: ['a'], next: 'a' }]);
  });

  it('rereads the first page and the visible ones', () => {
    const long = Array.from({ length: 50 }, () => ({ rows: Array.from({ length: 200 }, () => 'x'), next: 'x' }));
    expect([...stalePages(long, 0)]).to.deep.equal([0]);
    expect([...stalePages(long, 1_000)]).to.deep.equal([0, 5]);
    expect([...stalePages(long, 1_190)]).to.deep.equal([0, 5, 6]);
  });
});
