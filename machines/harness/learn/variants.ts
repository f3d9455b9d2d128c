import type { Capture } from '#contract/pane/capture.ts';
import type { RecordedScreen } from '#contract/pane/recorded-screen.ts';
import { parseScreen } from '#machines/pane/screen.ts';

/** A change that says nothing about what the CLI is doing, by a word for it. */
interface Variation {
  readonly what: string;
  change(capture: Capture): Capture;
}

const columns = 60;

const variations: readonly Variation[] = [
  { what: 'without colours', change: (capture) => ({ ...capture, rows: plainRows(capture) }) },
  {
    what: 'with other numbers',
    change: (capture) => ({ ...capture, rows: withOtherNumbers(capture.rows) }),
  },
  {
    what: `cut to ${columns} columns`,
    change: (capture) => ({ ...capture, width: columns, rows: plainRows(capture).map((row) => row.slice(0, columns)) }),
  },
  {
    what: 'scrolled by a third',
    change: (capture) => ({ ...capture, rows: scrolled(capture) }),
  },
];

/** A recorded screen in forms that it could as well have had, each with what was changed. */
export function variantsOf(screen: RecordedScreen): { readonly what: string; readonly screen: RecordedScreen }[] {
  return variations.map(({ what, change }) => ({ what, screen: { ...screen, capture: change(screen.capture) } }));
}

function plainRows({ rows }: Capture): string[] {
  return parseScreen(rows).rows.map(({ text }) => text);
}

/** Every number that stands alone, and is part of no escape sequence, becomes another one of the same length. */
function withOtherNumbers(rows: readonly string[]): string[] {
  return rows.map((row) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are left as they are
    row.replace(/\u001b\[[0-9;:]*m|(?<=[\s(])\d+(?=s\b)/g, (found) =>
      found.startsWith('\u001b') ? found : found.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10)),
    ),
  );
}

/** The upper third without its text, as if less had been said. */
function scrolled({ rows, height }: Capture): string[] {
  const gone = Math.floor(height / 3);
  return rows.map((row, at) => (at < gone ? '' : row));
}
