import { readdirSync, readFileSync } from 'node:fs';
import type { PaneState } from '#contract/agent/agent-state.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { captureOf } from './screen-corpus.ts';

/** One screen that is kept because of what is hard about it, and how it is to be read. */
export interface GoldenScreen {
  readonly harness: string;
  /** The case, such as `quoted-dialog`. */
  readonly name: string;
  readonly capture: Capture;
  readonly state: PaneState;
  readonly reason: string;
}

interface Expected {
  readonly state: PaneState;
  readonly reason: string;
  readonly title: string;
  readonly command: string;
  readonly cursor: string;
  readonly size: string;
  readonly programStatus?: string;
  readonly inMode?: boolean;
  readonly dead?: boolean;
}

const folder = new URL('./', import.meta.url);

/** Reads every `<harness>/<case>/` with its `screen.txt` and `expected.json`. */
export function loadGoldens(): GoldenScreen[] {
  return foldersIn(folder)
    .filter((harness) => harness !== 'screens')
    .flatMap((harness) =>
      foldersIn(new URL(`${harness}/`, folder)).map((name) =>
        goldenAt(harness, name, new URL(`${harness}/${name}/`, folder)),
      ),
    );
}

function foldersIn(url: URL): string[] {
  return readdirSync(url, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

function goldenAt(harness: string, name: string, at: URL): GoldenScreen {
  const expected = JSON.parse(readFileSync(new URL('expected.json', at), 'utf8')) as Expected;
  const { state, reason, inMode = false, dead = false, ...facts } = expected;
  const rows = readFileSync(new URL('screen.txt', at), 'utf8').split('\n');
  return { harness, name, state, reason, capture: { ...captureOf(rows, facts), inMode, dead } };
}
