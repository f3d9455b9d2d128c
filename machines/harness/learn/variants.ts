import type { Capture } from '#contract/pane/capture.ts';
import type { RecordedScreen } from '#contract/pane/recorded-screen.ts';
import { parseScreen } from '#machines/pane/screen.ts';

/** A change of a screen that does not change what the CLI is doing. */
interface Variation {
  readonly what: string;
  /** Whether it keeps every word, so that no sign of the state is lost. */
  readonly keepsWords: boolean;
  change(capture: Capture): Capture;
}

const columns = 60;

const variations: readonly Variation[] = [
  { what: 'without colours', keepsWords: true, change: (capture) => ({ ...capture, rows: plainRows(capture) }) },
  {
    what: 'with other numbers',
    keepsWords: true,
    change: (capture) => ({ ...capture, rows: withOtherNumbers(capture.rows) }),
  },
  {
    what: `cut to ${columns} columns`,
    keepsWords: false,
    change: (capture) => ({ ...capture, width: columns, rows: plainRows(capture).map((row) => row.slice(0, columns)) }),
  },
  {
    what: 'scrolled by a third',
    keepsWords: false,
    change: (capture) => ({ ...capture, rows: scrolled(capture) }),
  },
];

/** A variant of a recorded screen. */
export interface Variant extends Pick<Variation, 'what' | 'keepsWords'> {
  readonly screen: RecordedScreen;
}

/** The variants of a recorded screen that the CLI could have shown in the same state. */
export function variantsOf(screen: RecordedScreen): Variant[] {
  return variations.map(({ what, keepsWords, change }) => ({
    what,
    keepsWords,
    screen: { ...screen, capture: change(screen.capture) },
  }));
}

function plainRows({ rows }: Capture): string[] {
  return parseScreen(rows).rows.map(({ text }) => text);
}

/** Replaces every separate number outside escape sequences by another one of the same length. */
function withOtherNumbers(rows: readonly string[]): string[] {
  return rows.map((row) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are left as they are
    row.replace(/\u001b\[[0-9;:]*m|(?<=[\s(])\d+(?=s\b)/g, (found) =>
      found.startsWith('\u001b') ? found : found.replace(/\d/g, (digit) => String((Number(digit) + 3) % 10)),
    ),
  );
}

/** The screen with a blank upper third, as after less output; a screen that is not full is unchanged. */
function scrolled(capture: Capture): readonly string[] {
  const { rows, height } = capture;
  const gone = Math.floor(height / 3);
  const first = plainRows(capture).findIndex((text, at) => at >= gone && text !== '');
  const isFull = first >= 0 && plainRows(capture).length > height - gone;
  return isFull ? rows.map((row, at) => (at < gone ? '' : row)) : rows;
}
