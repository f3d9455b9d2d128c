import { printableLines } from '../printable.ts';

/** SGR sequences: all that a captured screen carries beside its text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are exactly what is looked for
const attribute = /(\u001b\[[0-9;:]*m)/;

/** The text of a captured screen without its attributes, safe to show on a terminal. */
export function plainText(screen: string): string {
  return printableLines(screen.split(attribute).filter(isText).join(''));
}

/** A captured screen with its attributes, and nothing else that could steer a terminal. */
export function colouredText(screen: string): string {
  return screen
    .split(attribute)
    .map((piece, place) => (isText(piece, place) ? printableLines(piece) : piece))
    .join('');
}

/** The last rows of a screen that are not blank, without attributes. */
export function lastRows(screen: string, count: number): string[] {
  const rows = plainText(screen).split('\n');
  return rows.filter((row) => row.trim() !== '').slice(-count);
}

function isText(_: string, place: number): boolean {
  return place % 2 === 0;
}
