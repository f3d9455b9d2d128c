import { expect } from 'chai';
import { drawingOf, evidenceRows, extentOf, rowsOf } from '#page/answer/screen-text.ts';
import type { PaneScreen } from '#page/client/agent/v1/agent_pb.js';

const screenOf = (text: string, more: object = {}): PaneScreen =>
  ({ text, rowsAbove: 0, width: 200, height: 50, cursorRow: 0, cursorColumn: 0, ...more }) as PaneScreen;

describe('a screen on the page', () => {
  it('has its rows without attributes; those that were not stored are blank', () => {
    expect(rowsOf(screenOf('\u001b[1mone\u001b[0m  \ntwo'))).to.deep.equal(['one', 'two']);
    expect(rowsOf(screenOf('three', { rowsAbove: 2 }))).to.deep.equal(['', '', 'three']);
  });

  it('is drawn from its first row, and keeps the cursor’s position', () => {
    const drawn = drawingOf(screenOf('a\nb', { rowsAbove: 3, cursorRow: 4, cursorColumn: 1 }));
    expect(drawn).to.equal('\u001b[?7l\u001b[0m\u001b[2J\u001b[4;1Ha\u001b[5;1Hb\u001b[0m\u001b[5;2H');
  });

  it('is drawn within its pane, and text without a cell takes none', () => {
    const drawn = drawingOf(screenOf('●\ufe0e one\u200b\ntwo\nthree', { height: 2 }));
    expect(drawn).to.contain('\u001b[1;1H● one\u001b[2;1Htwo\u001b[0m');
  });

  it('shows deceptive characters as escapes, in colour, in rows with room for them', () => {
    const screen = screenOf('\u001b[31mab\u202ecd\u001b[0m\n👩🏽‍💻', { width: 5 });
    expect(drawingOf(screen)).to.contain('\u001b[31mab\\u202ecd\u001b[0m\u001b[2;1H👩🏽‍💻');
    expect(extentOf(screen)).to.deep.equal({ columns: 10, rows: 2 });
    expect(evidenceRows(screen, ['ab\u202ecd'])).to.deep.equal([0]);
  });

  it('marks its evidence on the lowest of equal rows, each row once', () => {
    const screen = screenOf('────\n❯ 1. Yes\n────\n❯ 1. Yes\n  2. No');
    expect(evidenceRows(screen, ['❯ 1. Yes', '2. No'])).to.deep.equal([3, 4]);
    expect(evidenceRows(screen, ['────', '────'])).to.deep.equal([0, 2]);
    expect(evidenceRows(screen, ['gone', ' '])).to.deep.equal([]);
    expect(evidenceRows(screenOf('❯\u00a0Yes\nYes, all'), ['❯ Yes'])).to.deep.equal([0]);
    expect(evidenceRows(screenOf('Yes\nYes, all'), ['Yes'])).to.deep.equal([0]);
  });

  it('marks wrapped evidence on all of its rows', () => {
    const screen = screenOf('❯ fix\n❯ fix the\nparser and\ntests\n❯ fix the', { width: 10 });
    expect(evidenceRows(screen, ['❯ fix the parser and tests'])).to.deep.equal([1, 2, 3]);
    expect(evidenceRows(screen, ['❯ fix the parser and docs'])).to.deep.equal([]);
  });

  it('is as large as its content, including the cursor', () => {
    expect(extentOf(screenOf('four\n漢字 x\n\n'))).to.deep.equal({ columns: 6, rows: 2 });
    expect(extentOf(screenOf('漢字漢字', { width: 6, height: 4 }))).to.deep.equal({ columns: 6, rows: 1 });
    expect(extentOf(screenOf('\u001b[44mab   \n \u001b[0m'))).to.deep.equal({ columns: 5, rows: 2 });
    expect(extentOf(screenOf('', { cursorRow: 7, cursorColumn: 9 }))).to.deep.equal({ columns: 10, rows: 8 });
  });
});
