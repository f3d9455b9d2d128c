import type { PaneState } from '#contract/agent-state.ts';
import { screensOf } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';
import { disputedLabels } from '#test/pane/disputed-labels.ts';
import { loadSamples, type Sample } from '#test/pane/screen-corpus.ts';

// Reads every captured screen and prints, for each harness, what it was read as against what it was. A disputed label
// counts as what the screen is held to show; beside it stands the count by the labels as they were captured.

const states: readonly PaneState[] = [
  'AGENT_STATE_IDLE',
  'AGENT_STATE_THINKING',
  'AGENT_STATE_WAITING',
  'AGENT_STATE_UNCERTAIN',
];
const short = (state: PaneState): string => state.replace('AGENT_STATE_', '');
const out = (line: string): void => void process.stdout.write(`${line}\n`);

const samples = loadSamples();
const start = performance.now();
const readings = samples.map((sample) => ({ sample, reading: read(screensOf(sample.harness), sample.capture) }));
const elapsed = performance.now() - start;

for (const [harness, group] of Map.groupBy(readings, ({ sample }) => sample.harness)) {
  const right = group.filter(({ sample, reading }) => sample.state === reading.state).length;
  const byLabel = group.filter(({ sample, reading }) => sample.label === reading.state).length;
  out(`\n${harness}: ${share(right, group.length)}; by every label as captured: ${share(byLabel, group.length)}`);
  out(['was \\ read as', ...states.map(short)].map((word) => word.padEnd(14)).join(''));
  for (const was of states) {
    const counts = states.map((as) =>
      group.filter(({ sample, reading }) => sample.state === was && reading.state === as),
    );
    out([short(was), ...counts.map((count) => String(count.length))].map((word) => word.padEnd(14)).join(''));
  }
  for (const { sample, reading } of group)
    if (sample.state !== reading.state) out(missed(sample, reading.state, reading.rule));
}
out(
  `\n${samples.length} screens read in ${elapsed.toFixed(0)} ms (${(elapsed / samples.length).toFixed(2)} ms a screen)`,
);

const all = readings.filter(({ sample, reading }) => sample.state === reading.state).length;
const allByLabel = readings.filter(({ sample, reading }) => sample.label === reading.state).length;
out(`all: ${share(all, readings.length)}; by every label as captured: ${share(allByLabel, readings.length)}`);
for (const { samples: names, held, reason } of disputedLabels)
  out(`disputed, ${short(held)}: ${names.join(', ')}: ${reason}`);

function share(right: number, of: number): string {
  return `${right} of ${of} right (${((100 * right) / of).toFixed(1)} %)`;
}

function missed(sample: Sample, as: PaneState, rule: string): string {
  return `  ${sample.name}: ${short(sample.state)} read as ${short(as)} by ${rule} (${sample.note})`;
}
