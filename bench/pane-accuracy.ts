import type { PaneState } from '#contract/agent-state.ts';
import type { Reading } from '#contract/reading.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { disputedLabels } from '#test/pane/disputed-labels.ts';
import { loadSamples, type Sample } from '#test/pane/screen-corpus.ts';
import { report, say } from './report.ts';

const states: readonly PaneState[] = [
  'AGENT_STATE_IDLE',
  'AGENT_STATE_THINKING',
  'AGENT_STATE_WAITING',
  'AGENT_STATE_UNCERTAIN',
];
const short = (state: PaneState): string => state.replace('AGENT_STATE_', '');

interface Read {
  readonly sample: Sample;
  readonly reading: Reading;
}

/**
 * Reads every captured screen and prints, for each harness, what it was read as against what it was. A disputed label
 * counts as what the screen is held to show; beside it stands the count by the labels as they were captured.
 */
export async function benchPaneAccuracy(): Promise<void> {
  const samples = loadSamples();
  const start = performance.now();
  const readings = samples.map((sample) => ({
    sample,
    reading: read(screensOf(builtIn, sample.harness), sample.capture),
  }));
  const elapsed = performance.now() - start;
  for (const [harness, group] of Map.groupBy(readings, ({ sample }) => sample.harness)) print(harness, group);
  const each = (elapsed / samples.length).toFixed(2);
  say(`\n${samples.length} screens read in ${elapsed.toFixed(0)} ms (${each} ms a screen)`);
  say(`all: ${rightOf(readings)}`);
  for (const { samples: names, held, reason } of disputedLabels) {
    say(`disputed, ${short(held)}: ${names.join(', ')}: ${reason}`);
  }
}

function rightOf(readings: readonly Read[]): string {
  const share = (right: readonly Read[]) =>
    `${right.length} of ${readings.length} right (${((100 * right.length) / readings.length).toFixed(1)} %)`;
  const held = readings.filter(({ sample, reading }) => sample.state === reading.state);
  const labelled = readings.filter(({ sample, reading }) => sample.label === reading.state);
  return `${share(held)}; by every label as captured: ${share(labelled)}`;
}

function print(harness: string, group: readonly Read[]): void {
  const rows = states.map((was) => {
    const those = group.filter(({ sample }) => sample.state === was);
    return [short(was), ...states.map((as) => String(those.filter(({ reading }) => reading.state === as).length))];
  });
  report(harness, rightOf(group), ['was \\ read as', ...states.map(short)], rows);
  for (const { sample, reading } of group) {
    if (sample.state === reading.state) continue;
    const how = `${short(sample.state)} read as ${short(reading.state)} by ${reading.rule}`;
    say(`  ${sample.name}: ${how} (${sample.note})`);
  }
}
