import { expect } from 'chai';
import { cellsOf, offsetOf } from '#contract/pane/cells.ts';
import { everyCell, parseScreen, styleAt } from '#machines/pane/screen.ts';
import { isGrey } from '#machines/pane/style.ts';

const esc = '\u001b';

describe('a screen', () => {
  it('is read without its escapes, its trailing blanks and the blank rows at its bottom', () => {
    const screen = parseScreen([`${esc}[1mfirst${esc}[0m   `, '', 'second\u00a0word', ' ', '']);
    expect(screen.rows.map((row) => row.text)).to.deep.equal(['first', '', 'second word']);
    expect(screen.styled).to.equal(true);
  });

  it('with words underlined alone is not styled: a CLI without colours underlines them, too', () => {
    expect(parseScreen([`a${esc}[4mb${esc}[24m`]).styled).to.equal(false);
    expect(parseScreen([`a${esc}[4;1mb${esc}[0m`]).styled).to.equal(true);
  });

  it('without any attribute is not styled, even if it resets them', () => {
    expect(parseScreen([`a${esc}[0mb${esc}[39m`]).styled).to.equal(false);
  });

  it('carries a style on into the next row, as tmux writes it', () => {
    const [first, second] = parseScreen([`${esc}[2mdim`, `still ${esc}[22mnot`]).rows;
    expect(first && styleAt(first, 0).dim).to.equal(true);
    expect(second && everyCell(second, 0, 5, (style) => style.dim)).to.equal(true);
    expect(second && styleAt(second, 6).dim).to.equal(false);
  });

  for (const [name, codes, foreground] of [
    ['a basic colour', '31', '205,0,0'],
    ['a bright colour', '90', '127,127,127'],
    ['a colour of the palette', '38;5;246', '148,148,148'],
    ['a colour of the cube', '38;5;153', '175,215,255'],
    ['a true colour', '38;2;153;153;153', '153,153,153'],
    ['a true colour with colons', '38:2::1:2:3', '1,2,3'],
    ['a palette colour with colons', '38:5:1', '205,0,0'],
    ['a colour after an underline colour', '58;5;9;34', '0,0,238'],
    ['the default again', '31;39', ''],
  ] as const) {
    it(`knows ${name}`, () => {
      const row = parseScreen([`${esc}[7;${codes}mx`]).rows[0];
      expect(row && styleAt(row, 0)).to.include({ foreground, reverse: true });
    });
  }

  it('knows backgrounds, and what ends an attribute', () => {
    const rows = parseScreen([
      `${esc}[44ma${esc}[104mb${esc}[48;5;1mc${esc}[49;1md${esc}[7me${esc}[27mf${esc}[mg`,
    ]).rows;
    const backgrounds = [...'abcdefg'].map((_, at) => rows[0] && styleAt(rows[0], at).background);
    expect(backgrounds).to.deep.equal(['0,0,238', '92,92,255', '205,0,0', '', '', '', '']);
    expect([...'abcdefg'].map((_, at) => rows[0] && styleAt(rows[0], at).reverse).indexOf(true)).to.equal(4);
  });

  it('drops hyperlinks, titles and other sequences', () => {
    const rows = parseScreen([
      `${esc}]8;;https://x${esc}\\link${esc}]8;;${esc}\\ ${esc}]0;title\u0007${esc}(Bend${esc}[?25l`,
    ]).rows;
    expect(rows[0]?.text).to.equal('link end');
  });

  it('has no cell with a look if it has no text', () => {
    const row = parseScreen(['   x']).rows[0];
    expect(row && everyCell(row, 0, 3, () => true)).to.equal(false);
  });

  it('reads a row by the style that runs on into it, whatever it was read by before', () => {
    const plainRow = { text: 'b', runs: [] };
    for (let time = 0; time < 2; time += 1) {
      expect(parseScreen(['b']).rows).to.deep.equal([plainRow]);
      expect(parseScreen(['\u001b[2ma', 'b']).rows[1]?.runs[0]?.style).to.include({ dim: true, bold: false });
      expect(parseScreen(['\u001b[1ma', 'b']).rows[1]?.runs[0]?.style).to.include({ dim: false, bold: true });
      expect(parseScreen(['\u001b[2ma\u001b[0m', 'b']).rows[1]).to.deep.equal(plainRow);
    }
  });
});

describe('a grey', () => {
  it('is between dark and light, and without hue', () => {
    expect(['153,153,153', '127,127,127', '108,112,134'].map(isGrey)).to.deep.equal([true, true, true]);
    expect(['', '238,238,238', '8,8,8', '205,0,0'].map(isGrey)).to.deep.equal([false, false, false, false]);
  });
});

describe('the width of a text', () => {
  it('counts cells: two for wide characters, none for joined ones', () => {
    expect(cellsOf('ab')).to.equal(2);
    expect(cellsOf('日本語')).to.equal(6);
    expect(cellsOf('e\u0301✔\ufe0f')).to.equal(2);
    expect(offsetOf('日本語x', 4)).to.equal(2);
    expect(offsetOf('ab', 9)).to.equal(2);
  });
});
