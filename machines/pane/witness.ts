import type { ScreenRegion } from '#contract/pane/screen-rule.ts';

interface Witness {
  /** What it is called. */
  readonly name: string;
  /** What its words mean, where they are not somebody's own. */
  readonly words?: Readonly<Record<string, string>>;
}

const witnesses: Readonly<Partial<Record<ScreenRegion, Witness>>> = {
  title: { name: 'title' },
  status: { name: 'status sequence' },
  progress: { name: 'progress sequence' },
  command: { name: 'command' },
  pane: { name: 'pane', words: { dead: 'its program has ended', mode: 'a person scrolls in it' } },
  input: { name: 'input', words: { line: 'the program waits for a line' } },
};

/** A row that decided, as people read it: what is not on the screen is named, as `command: bash`, for no row shows it. */
export function evidenceText(region: ScreenRegion, row: string): string {
  const witness = witnesses[region];
  return witness === undefined ? row : `${witness.name}: ${witness.words?.[row] ?? row}`;
}
