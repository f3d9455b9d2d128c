import xterm from '@xterm/headless';
import { expect } from 'chai';
import { type QuestionPage, questionPage } from '#cli/commands/agent/question-page.ts';

const question = 'Into which of the environments that you have do you want to deploy this, staging or production? ';

/** What a terminal of that size shows of a page, and where its cursor is. */
async function shownAt(columns: number, rows: number, page: QuestionPage) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  const stdout = { columns, rows, isTTY: true, write: () => {}, onResize: () => () => {} };
  await new Promise<void>((resolve) => terminal.write(questionPage(stdout, page), resolve));
  const { active } = terminal.buffer;
  const lines = Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true));
  const shown = {
    lines: lines.map((line = '') => line),
    scrolled: active.baseY,
    column: active.cursorX,
    row: active.cursorY,
  };
  terminal.dispose();
  return shown;
}

describe('an agent’s question in a person’s terminal', () => {
  it('wraps wide rows, with the cursor behind the text', async () => {
    const screen = `first\n${'─'.repeat(200)}\n${question}\n\n`;
    const { lines, scrolled, column, row } = await shownAt(40, 12, { screen, notice: '', prompt: 'Type: stag' });
    expect(lines.slice(0, 2)).to.deep.equal(['first', '─'.repeat(40)]);
    expect(lines.join('')).to.include(question.trim());
    expect(lines[row]).to.equal('Type: stag');
    expect([scrolled, column]).to.deep.equal([0, 10]);
  });

  it('keeps the end of a screen that does not fit, with the whole prompt, at any width', async () => {
    const screen = Array.from({ length: 30 }, (_, index) => `\u001b[31mrow ${index} ${'漢'.repeat(20)}`).join('\n');
    for (const columns of [17, 20, 30, 31, 80]) {
      const prompt = `Type: ${'word '.repeat(12)}end`;
      const { lines, scrolled, row } = await shownAt(columns, 16, { screen, notice: 'it has changed', prompt });
      expect(scrolled, `at ${columns}`).to.equal(0);
      expect(lines[0]).to.match(/^row \d+/);
      expect(lines.join('')).to.include('row 29').and.include('it has changed').and.include('Type: word word');
      expect(lines.slice(0, row + 1).join('')).to.match(/word end$/);
    }
  });
});
