import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { sliceOfCells, WindowView } from '#cli/attach/window-view.ts';

describe('a pane on a terminal of another size', () => {
  const text = Array.from({ length: 50 }, (_, row) => `row ${row} `.padEnd(200, String(row % 10))).join('\n');
  const screenAt = (cursorRow: number, cursorColumn: number) => ({
    text,
    width: 200,
    height: 50,
    cursorRow,
    cursorColumn,
  });
  /** The rows that a terminal shows, and where its cursor is, counted from zero. */
  const drawn = (sequence: string) => {
    const [, row, column] = /\[(\d+);(\d+)H/.exec(sequence) ?? [];
    const rows = stripVTControlCharacters(sequence).split('\r\n');
    return { rows, cursor: [Number(row) - 1, Number(column) - 1] };
  };

  it('is shown in full if it fits, above the status', () => {
    const { rows, cursor } = drawn(new WindowView().draw({ columns: 210, rows: 60 }, screenAt(3, 7), ' lead'));
    expect(rows.slice(0, 50).join('\n')).to.equal(text);
    expect(rows).to.have.length(60);
    expect(rows.at(-1)).to.equal(' lead'.padEnd(210));
    expect(cursor).to.deep.equal([3, 7]);
  });

  it('is shown around its cursor otherwise, and scrolls as little as possible', () => {
    const view = new WindowView();
    const size = { columns: 80, rows: 11 };
    const first = drawn(view.draw(size, screenAt(0, 0), ''));
    expect([first.rows[0]?.slice(0, 5), first.cursor]).to.deep.equal(['row 0', [0, 0]]);
    const down = drawn(view.draw(size, screenAt(30, 150), ''));
    expect(down.cursor).to.deep.equal([9, 79]);
    expect(down.rows[9]).to.equal('0'.repeat(80));
    const up = drawn(view.draw(size, screenAt(25, 100), ''));
    expect(up.cursor, 'it does not move').to.deep.equal([4, 29]);
    expect(drawn(view.draw(size, screenAt(2, 0), '')).rows[0]?.slice(0, 5)).to.equal('row 2');
  });

  it('cuts rows by cells, keeps their colours, and splits no wide character', () => {
    expect(sliceOfCells('\u001b[31mabc\u001b[0mdef', 2, 3)).to.equal('\u001b[31mc\u001b[0mde');
    expect(sliceOfCells('a漢字b', 1, 4)).to.equal('漢字');
    expect(sliceOfCells('a漢字b', 1, 3)).to.equal('漢');
    expect(sliceOfCells('abc', 5, 3)).to.equal('');
  });

  it('shows no control character of the pane', () => {
    const sequence = new WindowView().draw(
      { columns: 40, rows: 3 },
      { text: 'a\u001b]0;x\u0007b', width: 40, height: 2 },
      '\u001b[2J',
    );
    expect(sequence).to.not.include('\u001b]0').and.to.not.include('\u0007');
  });
});
