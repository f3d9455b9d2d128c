import { printableScreenText } from '#contract/printable.ts';

/** The last rows of a screen that are not blank, without attributes. */
export function lastRows(screen: string, count: number): string[] {
  const rows = printableScreenText(screen).split('\n');
  return rows.filter((row) => row.trim() !== '').slice(-count);
}
