import type { ScreenRegion } from '#contract/pane/screen-rule.ts';

interface EvidenceSource {
  /** Its name. */
  readonly name: string;
  /** The meaning of its values, if they are a fixed set. */
  readonly words?: Readonly<Record<string, string>>;
}

const evidenceSources: Readonly<Partial<Record<ScreenRegion, EvidenceSource>>> = {
  title: { name: 'title' },
  status: { name: 'status sequence' },
  progress: { name: 'progress sequence' },
  command: { name: 'command' },
  pane: { name: 'pane', words: { dead: 'its program has ended', mode: 'a person scrolls in it' } },
  input: { name: 'input', words: { line: 'the program waits for a line' } },
};

/** Evidence as people read it. A fact that is not on the screen is named, such as `command: bash`. */
export function evidenceText(region: ScreenRegion, row: string): string {
  const source = evidenceSources[region];
  return source === undefined ? row : `${source.name}: ${source.words?.[row] ?? row}`;
}
