import { fileURLToPath } from 'node:url';
import { pins } from '#test/lab/cli/pins.ts';
import { type Counts, keptOutcomes } from '#test/lab/steps/outcome.ts';
import { byHarness, capturedVersions, matrixColumns, matrixRows, type ReadScreen, readAll } from './confusion.ts';
import { loadGoldens } from './golden-screen.ts';
import { changeable, type Outcome, outcomesOf } from './mutants/mutants.ts';
import { loadSamples } from './screen-corpus.ts';

/** The page that reports how panes are read, with tables of how well. */
export const statesPage = fileURLToPath(new URL('../../docs/pane-states.md', import.meta.url));

const begin = '<!-- tables, made by node bench/write-pane-states.ts -->\n';
const end = '<!-- end of tables -->';
const beginChanged = '<!-- table of changed screens, made by node bench/write-pane-states.ts -->\n';
const endChanged = '<!-- end of table -->';

const beginSteps = '<!-- table of steps, made by node bench/write-pane-states.ts -->\n';
const endSteps = '<!-- end of steps -->';

/** The page with its table of the steps of live CLIs, as they came to when they were last led through them. */
export function withStepsTable(page: string): string {
  return between(page, beginSteps, endSteps, stepsTable());
}

function stepsTable(): string {
  const titles = [
    'CLI',
    'version',
    'steps',
    'right',
    'UNCERTAIN with a reason',
    'false',
    'at rest',
    'of these UNCERTAIN',
  ];
  const order = Object.entries(pins).flatMap(([harness, versions]) =>
    versions.map(({ version }) => `${harness} ${version}`),
  );
  const placeOf = ({ harness, version }: Counts): number => order.indexOf(`${harness} ${version}`);
  const kept = keptOutcomes().toSorted((one, other) => placeOf(one) - placeOf(other));
  const rows = kept.map((one) => [
    one.harness,
    one.version,
    ...[one.steps, one.right, one.unsure, one.false, one.rests ?? '', one.doubtedRests ?? ''].map(String),
  ]);
  return `${tableOf(titles, rows)}\n${doubtedRests(kept)}`;
}

/** How many screens of true rest read UNCERTAIN: of the recorded ones, and of the live ones that were counted. */
function doubtedRests(kept: readonly Counts[]): string {
  const recorded = readAll([...loadSamples(), ...loadGoldens()]).filter(
    ({ screen }) => screen.state === 'AGENT_STATE_IDLE',
  );
  const doubted = recorded.filter(({ reading }) => reading.state === 'AGENT_STATE_UNCERTAIN').length;
  const sum = (count: (one: Counts) => number | undefined) => kept.reduce((all, one) => all + (count(one) ?? 0), 0);
  const [live, liveDoubted] = [sum(({ rests }) => rests), sum((one) => one.doubtedRests)];
  const share = (((doubted + liveDoubted) / (recorded.length + live)) * 100).toFixed(2);
  return `Screens of rest that read UNCERTAIN: ${doubted} of ${recorded.length} recorded ones, and ${liveDoubted} of ${live} live ones; ${share} % of all.\n`;
}

/** The page with its tables of accuracy as they are now. */
export function withTables(page: string): string {
  return between(page, begin, end, tables());
}

/** The page with its table of changed screens as it is now, which takes about a minute. */
export function withChangedTable(page: string): string {
  return between(page, beginChanged, endChanged, changedTable());
}

function between(page: string, from: string, to: string, text: string): string {
  const [head, rest = ''] = page.split(from);
  const [, ...tail] = rest.split(to);
  return `${head}${from}\n${text}\n${to}${tail.join(to)}`;
}

/** The titles of the table of changed screens. */
export const changedColumns: readonly string[] = [
  'change',
  'at work or waiting',
  'read as before',
  'read IDLE',
  'newly read WAITING',
  'at rest',
  'of these UNCERTAIN',
];

/** A row of the table of changed screens. */
export function changedRow({ name, busy, kept, falseRest, falseWait, rest, unsure }: Outcome): string[] {
  return [name, ...[busy, kept, falseRest.length, falseWait.length, rest, unsure].map(String)];
}

function changedTable(): string {
  return tableOf(changedColumns, outcomesOf(changeable(), 'every').map(changedRow));
}

function tables(): string {
  const versions = capturedVersions();
  const captured = matrixTable(readAll(loadSamples()), (harness) => `${harness} ${versions.get(harness) ?? ''}`);
  const golden = matrixTable(readAll(loadGoldens()), (harness) => harness);
  return `Captured screens of real CLIs, with the version of each:\n\n${captured}\nGolden screens of the hard cases:\n\n${golden}`;
}

function matrixTable(screens: readonly ReadScreen[], nameOf: (harness: string) => string): string {
  const head = ['harness', ...matrixColumns].map((title) => title.replace('\\', '/'));
  const rows = byHarness(screens).flatMap(([harness, group]) =>
    matrixRows(group).map((row, place) => [place === 0 ? nameOf(harness) : '', ...row]),
  );
  return tableOf(head, rows);
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}
