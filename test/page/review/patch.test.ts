import { expect } from 'chai';
import type { ChangeData } from 'react-diff-view';
import { languageOf } from '#page/review/code/languages.ts';
import { isAlike } from '#page/review/code/likeness.ts';
import { asHunkData, hunksOf, numbersOf, pairedHunksOf, pairsOf } from '#page/review/code/patch.ts';
import { piecesOf } from '#page/review/code/pieces.ts';
import { endsRange, isWithin, rangesOf, rangeText } from '#page/review/code/ranges.ts';
import { changesOf } from '#page/review/suggested.ts';

const patch = [
  '@@ -3,4 +3,5 @@ function round() {',
  ' one',
  '-two',
  '+due',
  '+zwei',
  ' three',
  '@@ -20,1 +21,1 @@',
  '-last',
  '\\ No newline at end of file',
  '+letzte',
  '',
].join('\n');
const texts = (changes: readonly ChangeData[]) => changes.map(({ content }) => content);

describe('a patch on the page', () => {
  const [first, second] = hunksOf(patch);
  const rows = first?.changes ?? [];

  it('has hunks with rows and their numbers', () => {
    expect(first).to.deep.include({ where: 'function round() {', oldStart: 3, newStart: 3 });
    expect(rows.map((row) => [row.type, row.content, numbersOf(row)])).to.deep.equal([
      ['normal', 'one', { old: 3, fresh: 3 }],
      ['delete', 'two', { old: 4 }],
      ['insert', 'due', { fresh: 4 }],
      ['insert', 'zwei', { fresh: 5 }],
      ['normal', 'three', { old: 5, fresh: 6 }],
    ]);
    expect(second?.where).to.equal('');
    expect(texts(second?.changes ?? [])).to.deep.equal(['last', 'letzte']);
    expect(hunksOf('')).to.deep.equal([]);
  });

  it('keeps lines that look like patch headers', () => {
    const lines = ['+diff --git a/x b/x', '+--- a/x', '+@@ -1 +1 @@', '-Binary files differ', '+', '+\\ No newline'];
    const [hunk] = hunksOf(`@@ -1,1 +1,5 @@ of "it" @@ here\n${lines.join('\n')}`);
    expect(hunk?.where).to.equal('of "it" @@ here');
    expect(texts(hunk?.changes ?? [])).to.deep.equal(lines.map((line) => line.slice(1)));
  });

  it('names the old side of rows only after a removal', () => {
    expect(rangesOf(rows.slice(2))).to.deep.equal({ oldStart: 0, oldEnd: 0, newStart: 4, newEnd: 6 });
    expect(rangesOf(rows.slice(0, 3))).to.deep.equal({ oldStart: 3, oldEnd: 4, newStart: 3, newEnd: 4 });
    expect(rangesOf(rows.slice(1, 2))).to.deep.equal({ oldStart: 4, oldEnd: 4, newStart: 0, newEnd: 0 });
  });

  it('shows a thread below the last row of its range', () => {
    const places = (ranges: { oldEnd: number; newEnd: number }) => texts(rows.filter((row) => endsRange(row, ranges)));
    expect(places({ oldEnd: 0, newEnd: 5 })).to.deep.equal(['zwei']);
    expect(places({ oldEnd: 4, newEnd: 0 })).to.deep.equal(['two']);
    expect(places({ oldEnd: 0, newEnd: 0 })).to.deep.equal([]);
    const range = { oldStart: 0, oldEnd: 0, newStart: 4, newEnd: 5 };
    expect(texts(rows.filter((row) => isWithin(row, range)))).to.deep.equal(['due', 'zwei']);
  });

  it('shows ranges in words', () => {
    expect(rangeText({ oldStart: 0, oldEnd: 0, newStart: 4, newEnd: 4 })).to.equal('line 4');
    expect(rangeText({ oldStart: 3, oldEnd: 4, newStart: 3, newEnd: 9 })).to.equal('lines 3 to 9');
    expect(rangeText({ oldStart: 3, oldEnd: 4, newStart: 0, newEnd: 0 })).to.equal('removed lines 3 to 4');
    expect(rangeText({ oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 0 })).to.equal('the whole file');
  });

  it('pairs added rows with removed ones, in either order', () => {
    const block = '@@ -1,5 +1,4 @@\n-a\n-b\n-c\n+A\n+B\n k\n-d\n+D\n';
    for (const [hunk] of [hunksOf(block), pairedHunksOf(block)]) {
      const pairs = pairsOf(hunk?.changes ?? []).map((pair) => texts(pair).join(''));
      expect(pairs).to.deep.equal(['aA', 'bB', 'dD']);
    }
    expect(texts(pairedHunksOf(block)[0]?.changes ?? []).join('')).to.equal('aAbBckdD');
  });

  it('marks differences only in similar lines', () => {
    expect(isAlike('  return Math.round(price);', '  return toEven(price);')).to.equal(true);
    expect(isAlike('import { a } from "b";', 'const total = sum(prices);')).to.equal(false);
    expect(isAlike('', 'x')).to.equal(false);
    expect(isAlike('{', '}')).to.equal(false);
  });

  it('is split into parts, never within a pair of rows', () => {
    const block = Array.from({ length: 300 }, (_, at) => `-old ${at}\n+new ${at}`).join('\n');
    const [hunk] = hunksOf(`@@ -1,300 +1,300 @@\n first\n${block}\n`);
    const pieces = piecesOf(hunk?.changes ?? []);
    expect(pieces.flat()).to.deep.equal(hunk?.changes);
    expect(pieces.length).to.equal(8);
    for (const piece of pieces.slice(0, -1)) expect(piece.at(-1)?.type).to.equal('insert');
    expect(asHunkData(pieces[1] ?? [])).to.deep.include({ oldStart: 42, newStart: 0, oldLines: 40, newLines: 40 });
  });

  it('shows a suggestion’s changes in its lines', () => {
    const said = (before: string[], after: string[]) =>
      changesOf(before, after, 10).map((row) => {
        const { old, fresh } = numbersOf(row);
        return `${row.type[0]}${row.content}${old ?? '-'}${fresh ?? '-'}`;
      });
    expect(said(['a', 'b', 'c'], ['a', 'x', 'y', 'c'])).to.deep.equal(['na1010', 'db11-', 'ix-11', 'iy-12', 'nc1213']);
    expect(said(['a', 'a'], ['a'])).to.deep.equal(['na1010', 'da11-']);
  });

  it('has the language of its file’s name', () => {
    const known = ['a/b.ts', 'x.TSX', 'Dockerfile', 'Dockerfile.dev', 'Makefile', '.bashrc', 'notes', 'java.txt'];
    expect(known.map(languageOf)).to.deep.equal([
      'typescript',
      'tsx',
      'docker',
      'docker',
      'makefile',
      'bash',
      undefined,
      undefined,
    ]);
  });
});
