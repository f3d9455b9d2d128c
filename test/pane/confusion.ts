import { readFileSync } from 'node:fs';
import type { PaneState } from '#contract/agent/agent-state.ts';
import type { Capture } from '#contract/pane/capture.ts';
import type { Reading } from '#contract/pane/reading.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';

/** A screen whose state is known. */
export interface KnownScreen {
  readonly name: string;
  readonly harness: string;
  readonly capture: Capture;
  readonly state: PaneState;
}

/** A known screen and what it was read as. */
export interface ReadScreen<S extends KnownScreen = KnownScreen> {
  readonly screen: S;
  readonly reading: Reading;
}

/** The states that a pane decides, in the order in which tables have them. */
const states: readonly PaneState[] = [
  'AGENT_STATE_IDLE',
  'AGENT_STATE_THINKING',
  'AGENT_STATE_WAITING',
  'AGENT_STATE_UNCERTAIN',
];

/** A state without its prefix. */
export function word(state: PaneState): string {
  return state.replace('AGENT_STATE_', '');
}

/** Reads screens by the rules that are built in. */
export function readAll<S extends KnownScreen>(screens: readonly S[]): ReadScreen<S>[] {
  return screens.map((screen) => ({ screen, reading: read(screensOf(builtIn, screen.harness), screen.capture) }));
}

/** The titles of a confusion matrix: what a screen was, and how often it was read as each state. */
export const matrixColumns: readonly string[] = ['was \\ read as', ...states.map(word)];

/** The rows of a confusion matrix; states that no screen has are left out. */
export function matrixRows(group: readonly ReadScreen[]): string[][] {
  return states.flatMap((was) => {
    const those = group.filter(({ screen }) => screen.state === was);
    if (those.length === 0) return [];
    const counts = states.map((as) => those.filter(({ reading }) => reading.state === as).length);
    return [[word(was), ...counts.map(String)]];
  });
}

/** Screens by their harness, in the order of the harnesses' table. */
export function byHarness<S extends KnownScreen>(all: readonly ReadScreen<S>[]): [string, ReadScreen<S>[]][] {
  const groups = Map.groupBy(all, ({ screen }) => screen.harness);
  const names = builtIn.all().map(({ name }) => name);
  return names.flatMap((name) => {
    const group = groups.get(name);
    return group === undefined ? [] : [[name, group] satisfies [string, ReadScreen<S>[]]];
  });
}

/** The version of the CLI that the captured screens of each harness are of. */
export function capturedVersions(): ReadonlyMap<string, string> {
  const index = JSON.parse(readFileSync(new URL('./screens/index.json', import.meta.url), 'utf8')) as {
    readonly harness: string;
    readonly version: string;
  }[];
  return new Map(index.map(({ harness, version }) => [harness, version]));
}
