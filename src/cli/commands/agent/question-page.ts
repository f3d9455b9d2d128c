import { stripVTControlCharacters } from 'node:util';
import type { CliIo } from '#cli/client/io.ts';
import { displayWidth } from '#cli/print/width.ts';

/** The minimum number of rows of an agent's screen that are shown. */
const minRows = 5;

export interface QuestionPage {
  /** The agent's screen, with its colours. */
  readonly screen: string;
  /** A notice for the person, such as that a key was not typed; may be empty. */
  readonly notice: string;
  /** The prompt for the person, with what they have typed so far. */
  readonly prompt: string;
}

/**
 * The end of an agent's screen on the person's own terminal, followed by the prompt and the cursor. Wider rows are
 * wrapped, so that no part of a question is cut; ruled lines get the width of the terminal.
 */
export function questionPage({ columns = 80, rows = 24 }: CliIo['stdout'], page: QuestionPage): string {
  const heightOf = (row: string): number => {
    const width = displayWidth(row);
    // A character of two columns does not fit into the last column.
    return width <= columns ? 1 : Math.ceil(width / Math.max(1, columns - 1));
  };
  const below = ['', page.notice, `\u001b[1m${page.prompt}\u001b[0m`].filter((row, index) => index !== 1 || row !== '');
  let room = Math.max(
    minRows,
    below.reduce((left, row) => left - heightOf(row), rows),
  );
  const shown: string[] = [];
  for (const row of rowsOf(page.screen, columns).toReversed()) {
    room -= heightOf(row);
    if (room < 0 && shown.length > 0) break;
    shown.unshift(`${row}\u001b[0m`);
  }
  return `\u001b[2J\u001b[H${[...shown, ...below].join('\r\n')}`;
}

function rowsOf(screen: string, columns: number): readonly string[] {
  const rows = screen.split('\n').map((row) => ruled(row, columns));
  while (rows.length > 0 && stripVTControlCharacters(rows.at(-1) ?? '').trim() === '') rows.pop();
  return rows;
}

function ruled(row: string, columns: number): string {
  const plain = stripVTControlCharacters(row);
  return /^ *(\S)\1{9,} *$/u.test(plain) ? plain.slice(0, columns) : row;
}
