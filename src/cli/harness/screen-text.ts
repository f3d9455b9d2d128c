import { printableScreenText } from '#contract/printable.ts';

/** The rows of a screen as text, without trailing blank rows. */
export function screenText(rows: readonly string[]): string {
  const lines = printableScreenText(rows.join('\n')).split('\n');
  return lines
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}
