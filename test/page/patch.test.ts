import { expect } from 'chai';
import { linesOf } from '#page/review/lines.ts';
import { changeOf, endsRange, hunksOf, isWithin, rangesOf, rangeText } from '#page/review/patch.ts';

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

describe('a patch on the page', () => {
  const [first, second] = hunksOf(patch);

  it('is its hunks with rows and their numbers', () => {
    expect(first).to.deep.include({ where: 'function round() {', oldStart: 3, newStart: 3 });
    expect(first?.rows).to.deep.equal([
      { kind: 'context', old: 3, new: 3, text: 'one' },
      { kind: 'deleted', old: 4, text: 'two' },
      { kind: 'added', new: 4, text: 'due' },
      { kind: 'added', new: 5, text: 'zwei' },
      { kind: 'context', old: 5, new: 6, text: 'three' },
    ]);
    expect(second?.rows.map(({ text }) => text)).to.deep.equal(['last', 'letzte']);
    expect(hunksOf('')).to.deep.equal([]);
  });

  it('names the old side of rows only where something was taken away', () => {
    const rows = first?.rows ?? [];
    expect(rangesOf(rows.slice(2))).to.deep.equal({ oldStart: 0, oldEnd: 0, newStart: 4, newEnd: 6 });
    expect(rangesOf(rows.slice(0, 3))).to.deep.equal({ oldStart: 3, oldEnd: 4, newStart: 3, newEnd: 4 });
    expect(rangesOf(rows.slice(1, 2))).to.deep.equal({ oldStart: 4, oldEnd: 4, newStart: 0, newEnd: 0 });
  });

  it('shows a thread below the last row of its range', () => {
    const rows = first?.rows ?? [];
    const places = (ranges: { oldEnd: number; newEnd: number }) =>
      rows.filter((row) => endsRange(row, ranges)).map(({ text }) => text);
    expect(places({ oldEnd: 0, newEnd: 5 })).to.deep.equal(['zwei']);
    expect(places({ oldEnd: 4, newEnd: 0 })).to.deep.equal(['two']);
    expect(places({ oldEnd: 0, newEnd: 0 })).to.deep.equal([]);
    const range = { oldStart: 0, oldEnd: 0, newStart: 4, newEnd: 5 };
    expect(rows.filter((row) => isWithin(row, range)).map(({ text }) => text)).to.deep.equal(['due', 'zwei']);
  });

  it('says ranges as people do', () => {
    expect(rangeText({ oldStart: 0, oldEnd: 0, newStart: 4, newEnd: 4 })).to.equal('line 4');
    expect(rangeText({ oldStart: 3, oldEnd: 4, newStart: 3, newEnd: 9 })).to.equal('lines 3 to 9');
    expect(rangeText({ oldStart: 3, oldEnd: 4, newStart: 0, newEnd: 0 })).to.equal('removed lines 3 to 4');
    expect(rangeText({ oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 0 })).to.equal('the whole file');
  });

  it('is shown with what was taken away beside what came in its place', () => {
    const beside = linesOf(first?.rows ?? [], true).map(({ rows }) => rows.map(({ row }) => row.text));
    expect(beside).to.deep.equal([['one'], ['two', 'due'], ['zwei'], ['three']]);
    expect(linesOf(first?.rows ?? [], false).map(({ rows }) => rows[0]?.at)).to.deep.equal([0, 1, 2, 3, 4]);
  });

  it('tells what a suggestion changes of its lines', () => {
    const said = (before: string[], after: string[]) =>
      changeOf(before, after).map(({ kind, text }) => [kind[0], text]);
    expect(said(['a', 'b', 'c'], ['a', 'x', 'y', 'c'])).to.deep.equal([
      ['c', 'a'],
      ['d', 'b'],
      ['a', 'x'],
      ['a', 'y'],
      ['c', 'c'],
    ]);
    expect(said(['a', 'a'], ['a'])).to.deep.equal([
      ['c', 'a'],
      ['d', 'a'],
    ]);
  });
});
