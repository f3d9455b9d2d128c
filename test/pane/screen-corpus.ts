import { readFileSync } from 'node:fs';
import type { PaneState } from '#contract/agent/agent-state.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { disputedLabels } from './disputed-labels.ts';

/** One captured screen of a real CLI, and what the CLI was doing. */
export interface Sample {
  /** `<harness>/<scenario>-<size>`. */
  readonly name: string;
  readonly harness: string;
  readonly capture: Capture;
  /** What the screen is held to show: its label, save if the label is disputed. */
  readonly state: PaneState;
  /** As it was labelled when it was captured. */
  readonly label: PaneState;
  readonly note: string;
}

interface IndexEntry {
  readonly file: string;
  readonly harness: string;
  readonly size: string;
  readonly state: string;
  readonly note: string;
  readonly command: string;
  readonly title: string;
  readonly cursor: string;
}

const folder = new URL('./screens/', import.meta.url);
const held = new Map(disputedLabels.flatMap(({ samples, held }) => samples.map((name) => [name, held])));

/** Reads every captured screen. */
export function loadSamples(): Sample[] {
  const index = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')) as IndexEntry[];
  return index.map((entry) => {
    const name = entry.file.replace('.ansi', '');
    const label = `AGENT_STATE_${entry.state}` as PaneState;
    return {
      name,
      harness: entry.harness,
      state: held.get(name) ?? label,
      label,
      note: entry.note,
      capture: captureOf(readFileSync(new URL(entry.file, folder), 'utf8').split('\n'), entry),
    };
  });
}

/** A capture of rows with escapes, with the fields that were recorded beside it. */
export function captureOf(
  rows: readonly string[],
  facts: { size: string; cursor: string; title?: string; command?: string; programStatus?: string },
): Capture {
  const [width = 0, height = 0] = facts.size.split('x').map(Number);
  const [column = 0, row = 0] = facts.cursor.split(',').map(Number);
  return {
    rows,
    title: facts.title ?? '',
    programStatus: facts.programStatus ?? '',
    progress: '',
    width,
    height,
    cursor: { column, row },
    command: facts.command ?? '',
    inMode: false,
    dead: false,
  };
}
