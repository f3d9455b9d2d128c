import { byHarness, matrixColumns, matrixRows, type ReadScreen, readAll, word } from '#test/pane/confusion.ts';
import { disputedLabels } from '#test/pane/disputed-labels.ts';
import { loadGoldens } from '#test/pane/golden-screen.ts';
import { changeable, outcomesOf } from '#test/pane/mutants/mutants.ts';
import { loadSamples, type Sample } from '#test/pane/screen-corpus.ts';
import { changedColumns, changedRow } from '#test/pane/states-page.ts';
import { report, say } from '../stage/report.ts';

/**
 * Reads every captured and every golden screen and prints a confusion matrix for each harness. A disputed screen counts
 * by its corrected label; the count by the original labels is printed too.
 */
export async function benchPaneAccuracy(): Promise<void> {
  const samples = loadSamples();
  const start = performance.now();
  const captured = readAll(samples);
  const elapsed = performance.now() - start;
  for (const [harness, group] of byHarness(captured)) print(`${harness}, captured`, byLabelsToo(group), group);
  for (const [harness, group] of byHarness(readAll(loadGoldens()))) print(`${harness}, golden`, rightOf(group), group);
  const each = (elapsed / samples.length).toFixed(2);
  say(`\n${samples.length} captured screens read in ${elapsed.toFixed(0)} ms (${each} ms a screen)`);
  say(`all captured: ${byLabelsToo(captured)}`);
  printChanged();
  for (const { samples: names, held, reason } of disputedLabels) {
    say(`disputed, ${word(held)}: ${names.join(', ')}: ${reason}`);
  }
}

/** Prints how the same screens are read after changes that an update of their CLI could make. */
function printChanged(): void {
  const outcomes = outcomesOf(changeable(), 'every');
  report('changed screens', 'as an update of the CLI could change them', changedColumns, outcomes.map(changedRow));
  for (const { falseRest, falseWait } of outcomes) for (const told of [...falseRest, ...falseWait]) say(`  ${told}`);
}

function byLabelsToo(readings: readonly ReadScreen<Sample>[]): string {
  const labelled = readings.filter(({ screen, reading }) => screen.label === reading.state);
  return `${rightOf(readings)}; by every label as captured: ${share(labelled.length, readings.length)}`;
}

function rightOf(readings: readonly ReadScreen[]): string {
  return share(readings.filter(({ screen, reading }) => screen.state === reading.state).length, readings.length);
}

function share(right: number, of: number): string {
  return `${right} of ${of} right (${((100 * right) / of).toFixed(1)} %)`;
}

function print(title: string, about: string, group: readonly ReadScreen[]): void {
  report(title, about, matrixColumns, matrixRows(group));
  for (const { screen, reading } of group) {
    if (screen.state === reading.state) continue;
    say(`  ${screen.name}: ${word(screen.state)} read as ${word(reading.state)} by ${reading.rule}`);
  }
}
