// `npm test`: runs every test, or those that its arguments name, with a temporary folder of its own, and fails also
// if a test leaves a process, a terminal or a file behind. The last line it prints is `N passed, N failed`.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileQueue, type TestEngine, type TestRun } from './file-queue.ts';
import { filesOfTurn } from './file-turns.ts';
import { addedAtTop, clearAway, leftoversOf, topNames } from './leftovers.ts';
import { runsOnPostgres, skippedOnPostgres } from './on-postgres.ts';
import { readArguments, selectSoak, selectTests, usage } from './selection.ts';
import { temporaryPlace } from './temporary-place.ts';
import { turnOf } from './turn.ts';
import { type FileResult, runFiles, type WorkOptions } from './workers.ts';

const temporary = temporaryPlace(process.env['TMPDIR']);
const prefix = 'muster-suite-';
/** How many of the slowest files a long run names. */
const slowestShown = 10;
/** The most files that run again: more that fail have a fault in common. */
const maxAgain = 10;
const repository = fileURLToPath(new URL('..', import.meta.url));
const timesFile = join(repository, 'node_modules/.cache/test-times.json');
/**
 * How long a file may take, in milliseconds, if no earlier run here has measured it, as in CI: what takes longest
 * begins first, so that the rest is done beside it. One that is thought short and is long may run alone at the end.
 */
const guesses: readonly (readonly [files: RegExp, ms: number])[] = [
  [
    /^test\/(?:run|actors\/agent\/death|cli\/(?:learn\/\w+-add|real-service)|package\/\w+|service\/backup\/backup)\.test/,
    60_000,
  ],
  [/^test\/(?:actors\/typing\/\w+-\w+|attacks\/isolation\/\w+|channels\/authorisation|clients\/\w+)\.test/, 50_000],
  [/^test\/(?:crash\/mail|deploy\/processes|move\/move|page\/screens|service\/join\/\w+)\.test/, 40_000],
  [
    /^test\/(?:channels\/|crash\/|docs\/|gateway\/mcp\/|page\/|service\/start\/start|world\/git\/(?:generated|worktree-removal))/,
    25_000,
  ],
  [/^test\/(?:actors\/typing|attacks\/host|world\/review|registry\/(?:roster|schedule))\//, 15_000],
  [/^test\/(?:service|forge|peers|deploy)\//, 12_000],
  [/^test\/(?:registry|attacks|world|actors|gateway|cli|store)\//, 7_000],
];
const usualMs = 2_000;

const given = process.argv.slice(2);
if (given.some((word) => word === '-h' || word === '--help')) {
  process.stdout.write(usage);
  process.exit(0);
}
const turn = turnOf(process.env['MUSTER_TEST_TURN'], repository);
const { files, left, title, isAgain, isSoak } = chosenTests();
if (!isSoak && files.length > 1)
  process.stdout.write(`Part of the cases: turn ${turn}. MUSTER_TEST_TURN=${turn} takes it again.\n`);
if (left > 0)
  process.stdout.write(`${left} costly files have their turn on other days: \`npm test -- --all\` runs them, too.\n`);

await clearAwayEarlierRuns();
const atTop = topNames();
const root = mkdtempSync(join(temporary, `${prefix}${process.pid}-`));
const isBrief = process.env['CI'] !== undefined;
const shared = mkdtempSync(join(temporary, `${prefix}${process.pid}-`));
const options: WorkOptions = {
  cwd: repository,
  env: environmentFor(root),
  folder: shared,
  isFiltered: title !== undefined,
  isBrief,
};
const runs = runsOn(process.env['MUSTER_TEST_DATABASE']);
if (runs.length > files.length)
  process.stdout.write(
    skippedOnPostgres(files)
      .map((line) => `Not on PostgreSQL: ${line}\n`)
      .join(''),
  );
const first = await runFiles(new FileQueue(runs), options);
const fallen = [...first].filter(([, { failed }]) => failed > 0).map(([name]) => name);
const second =
  isAgain && fallen.length > 0 && fallen.length <= maxAgain ? await runAgain() : new Map<string, FileResult>();
const results = new Map([...first, ...second]);
const leftovers = [...(await leftoversOf(root)), ...addedAtTop(atTop)];
rmSync(shared, { recursive: true });
if (title === undefined && !isSoak && !given.some((word) => word.startsWith('/'))) keepTimes(first);
if (isBrief || files.length > 1) process.stdout.write([...results].map(whole).join(''));
process.stdout.write([...second].map(unsteady).join(''));
if (leftovers.length > 0) process.stdout.write(`\nThe tests left something behind:\n  ${leftovers.join('\n  ')}\n`);
await clearAway(root);
const passed = sum(results, 'passed');
const failed = sum(results, 'failed');
const isUnmatched = title !== undefined && passed + failed === 0;
if (isUnmatched) process.stdout.write(`\nNo test ran whose title contains ${JSON.stringify(title)}.\n`);
const failedInAll = failed + leftovers.length + Number(isUnmatched);
if (files.length > slowestShown)
  process.stdout.write(`${slowest(first)}\n${(sum(first, 'cpuMs') / 1000).toFixed(0)} s of CPU time in all\n`);
process.stdout.write(`\n${passed} passed, ${failedInAll} failed\n`);
process.exitCode = failedInAll === 0 ? 0 : 1;

/**
 * Runs the files that failed again, with nothing beside them: a test that passes then was disturbed by the load of the
 * others. Both outcomes are printed, and the second counts. What they left behind belongs to their failure, so it is
 * printed and cleared away before.
 */
async function runAgain(): Promise<Map<string, FileResult>> {
  const left = await leftoversOf(root);
  if (left.length > 0) process.stdout.write(`\nLeft behind beside failures:\n  ${left.join('\n  ')}\n`);
  await clearAway(root);
  mkdirSync(root, { mode: 0o700 });
  process.stdout.write(`\nOnce more, alone: ${fallen.join(', ')}\n`);
  const again = runs.filter(({ name }) => fallen.includes(name));
  return await runFiles(new FileQueue(again), { ...options, processes: 1 });
}

/** What runs: each file on SQLite, and on PostgreSQL too if it uses a store; or each on the requested engine. */
function runsOn(wanted: string | undefined): readonly TestRun[] {
  const known = readTimes();
  const runOf = (engine: TestEngine) => (file: string) => {
    const name = engine === 'postgres' ? `${file} on PostgreSQL` : file;
    const ms = known[name] ?? guesses.find(([files]) => files.test(file))?.[1] ?? usualMs;
    return { name, file, engine, ms };
  };
  if (wanted === 'sqlite' || wanted === 'postgres') return files.map(runOf(wanted));
  return [...files.map(runOf('sqlite')), ...files.filter(runsOnPostgres).map(runOf('postgres'))];
}

/** Names a file that failed among others and passed alone, with its failure. */
function unsteady([file, { failed }]: readonly [string, FileResult]): string {
  if (failed > 0) return '';
  return `\nUnsteady: ${file} failed beside other files and passed alone:\n${first.get(file)?.failures}`;
}

function sum(of: ReadonlyMap<string, FileResult>, what: 'passed' | 'failed' | 'cpuMs'): number {
  return [...of.values()].reduce((total, result) => total + result[what], 0);
}

/**
 * The files that the arguments name, and how many have another turn. If one names nothing, reports it and runs nothing.
 */
function chosenTests() {
  try {
    const { words, isAll, ...others } = readArguments(given);
    const isWhole = words.length === 0;
    if (isWhole && others.isSoak) return { files: selectSoak(repository), left: 0, ...others };
    const all = selectTests(words, repository);
    // A title is looked for in every file.
    const takesTurns = isWhole && !isAll && others.title === undefined;
    const files = takesTurns ? filesOfTurn(all, turn) : all;
    return { files, left: all.length - files.length, ...others };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  }
}

/** Repeats the failures of a file, which may be far above in a long output. */
function whole([file, { failed, failures }]: readonly [string, FileResult]): string {
  return failed === 0 ? '' : `\nFailed in ${file}:\n${failures}`;
}

/** Names the files that took longest, so that the suite can be kept short. */
function slowest(of: ReadonlyMap<string, FileResult>): string {
  const longest = [...of].toSorted(([, a], [, b]) => b.tookMs - a.tookMs).slice(0, slowestShown);
  return `\nSlowest files:\n${longest.map(([file, { tookMs }]) => `  ${(tookMs / 1000).toFixed(0)} s  ${file}\n`).join('')}`;
}

/** How long each file took when it ran last here, in milliseconds. */
function readTimes(): Readonly<Record<string, number>> {
  try {
    return JSON.parse(readFileSync(timesFile, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

function keepTimes(of: ReadonlyMap<string, FileResult>): void {
  mkdirSync(dirname(timesFile), { recursive: true });
  const times = Object.fromEntries([...of].map(([file, { tookMs }]) => [file, tookMs]));
  writeFileSync(timesFile, JSON.stringify({ ...readTimes(), ...times }));
}

/**
 * Nothing of a person's own muster, and no place to write but the temporary folder. What a run itself is set by starts
 * with MUSTER_TEST_. Node's cache of compiled modules, which npm turns on, is kept with the packages: it belongs to no
 * test's leftover, and every process of every test starts faster by it.
 */
function environmentFor(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(MUSTER_(?!TEST_)|SERVICE_|TMUX)/.test(name));
  return {
    ...Object.fromEntries(own),
    TMPDIR: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    // Installations of tests isolate only what a test isolates: a sandbox costs each launch a tenth of a second.
    MUSTER_ISOLATION: 'none',
    ...(title === undefined ? {} : { MUSTER_TEST_TITLE: title }),
    ...(isSoak ? { MUSTER_TEST_SOAK: 'true' } : { MUSTER_TEST_TURN: String(turn) }),
    MUSTER_TEST_COLOR: String(!isBrief && process.stdout.isTTY),
    NODE_COMPILE_CACHE: join(repository, 'node_modules/.cache/node'),
  };
}

/** Clears away what runs left whose process was killed. */
async function clearAwayEarlierRuns(): Promise<void> {
  for (const name of readdirSync(temporary)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0;
    if (pid > 0 && !isRunning(pid)) await clearAway(join(temporary, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
