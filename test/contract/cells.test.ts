import unicode from '@xterm/addon-unicode11';
import headless from '@xterm/headless';
import { expect } from 'chai';
import fc from 'fast-check';
import { displayWidth } from '#cli/print/width.ts';
import { cellsOf } from '#contract/pane/cells.ts';

/** All that is neither a control character nor free for whoever wants to use it, and that Unicode 11 had. */
function* characters(): Generator<string> {
  for (let point = 0x20; point < 0x3_0000; point += 1) {
    const character = String.fromCodePoint(point);
    if (!/[\p{Cn}\p{Cc}\p{Co}\p{Cs}]/u.test(character)) yield character;
  }
}

/** How far a terminal’s cursor is after a text. */
async function columnAfter(texts: readonly string[]): Promise<number[]> {
  const terminal = new headless.Terminal({ allowProposedApi: true, cols: 200 });
  terminal.loadAddon(new unicode.Unicode11Addon());
  terminal.unicode.activeVersion = '11';
  const columns: number[] = [];
  for (const text of texts) {
    await new Promise<void>((done) => terminal.write(`\r${text}`, done));
    columns.push(terminal.buffer.active.cursorX);
  }
  terminal.dispose();
  return columns;
}

describe('the width of a character in cells', () => {
  it('equals that of a terminal', async () => {
    const signs = [...'a│█✅⚡☔⌚⏰⭐❌日本語한가｡ﾊ！😀🚀🧪', 'e\u0301', '✔\ufe0f', '\u1100\u1161'];
    const columns = await columnAfter(signs);
    expect(signs.map(cellsOf)).to.deep.equal(columns);
  });

  it('is the same for agents’ screens and for tables, except for combined sequences', () => {
    for (const character of characters()) {
      // A flag is two letters, a syllable of Korean up to three; and a sign that joins others has no place of its own.
      if (/[\p{Regional_Indicator}\p{Cf}\p{DI}\u1160-\u11ff]/u.test(character)) continue;
      expect(displayWidth(character), character).to.equal(cellsOf(character));
    }
  });

  it('adds up for any neighbours', () => {
    const letter = fc.constantFrom(...'aé│日한！ﾊ ✅');
    fc.assert(
      fc.property(fc.array(letter), fc.array(letter), (one, other) => {
        const [left, right] = [one.join(''), other.join('')];
        expect(cellsOf(left + right)).to.equal(cellsOf(left) + cellsOf(right));
        expect(displayWidth(left + right)).to.equal(cellsOf(left + right));
      }),
    );
  });
});
