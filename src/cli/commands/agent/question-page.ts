import { stripVTControlCharacters } from 'node:util';
import type { CliIo } from '#cli/client/io.ts';
import { displayWidth } from '#cli/print/width.ts';

/** How many rows of an agent's screen are shown even if all else leaves no room. */
const fewestRows = 5;

export interface QuestionPage {
  /** The agent's screen, with its colours. */
  readonly screen: string;
  /** What the person should know, such as that a key was not taken; may be empty. */
  readonly notice: string;
  /** What is asked of the person, with what they have written so far. */
  readonly prompt: string;
}

/**
 * The end of an agent's screen on the person's own terminal, with the prompt below it and the cursor behind that. What
 * is wider than the terminal is wrapped, so nothing of a question is cut; a ruled line is as wide as the terminal.
 */
export function questionPage({ columns = 80, rows = 24 }: CliIo['stdout'], page: QuestionPage): string {
  const heightOf = (row: string): number => {
    const width = displayWidth(row);
    // A letter of two columns does not fit into the last one.
    return width <= columns ? 1 : Math.ceil(width / Math.max(1, columns - 1));
  };
  const below = ['', page.notice, `\u001b[1m${page.prompt}\u001b[0m`].filter((row, index) => index !== 1 || row !== '');
  let room = Math.max(
    fewestRows,
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
