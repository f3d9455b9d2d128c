import { globSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { filesInTurn } from './file-turns.ts';

/** What `npm test -- --help` prints. */
export const usage = `npm test                                 every test but those that install more first, and of a hundred costly files a seventh
npm test -- --all                        all of these files, and of their cases those of this turn
npm test -- test/cli test/layers.test.ts the tests of a folder, of a file, or of a pattern such as 'test/*/ls*'
npm test -- test/cli/agent/ls.test.ts --grep waits     of these the tests whose title, with its suites', contains the words
npm test -- --again                      at the end, runs files that failed once more, alone, if they are ten at most
MUSTER_TEST_TURN=7 npm test              of many cases and files, those of this turn; if there is none, the commit decides
npm run soak                             at full length, what the suite does in part

The lab (test/lab) runs the real CLIs, and test/conformance what the MCP project tries servers with: each installs them
first, and is run where it is named. \`npm run soak\`, which is \`node test/run.ts --soak\`, takes hours: it runs the files that
shorten something (they import test/support/soak.ts, some-of.ts or axe.ts, or are in test/registry), those that the suite
takes in turn (test/file-turns.ts), and every file named *.soak.test.ts, which runs only there or by its name. A file behind
\`--soak\` runs alone, at full length.

The last line that is printed is \`N passed, N failed\`. A test that leaves a process, a terminal or a file behind has failed.
`;

/** What the arguments of a run ask for. */
interface Request {
  /** What names the files. */
  readonly words: readonly string[];
  /** What the title of a test must contain; undefined if every test runs. */
  readonly title: string | undefined;
  /** Whether files that failed run again. */
  readonly isAgain: boolean;
  /** Whether files that have turns run, whichever turn it is. */
  readonly isAll: boolean;
  /** Whether tests run at full length. */
  readonly isSoak: boolean;
}

/**
 * Takes `--grep WORDS`, or `--grep=WORDS`, `--again`, `--all` and `--soak` out of the arguments of a run.
 * @throws Error when nothing follows `--grep`
 */
export function readArguments(all: readonly string[]): Request {
  const given = all.filter((word) => !['--again', '--all', '--soak'].includes(word));
  const flags = { isAgain: all.includes('--again'), isAll: all.includes('--all'), isSoak: all.includes('--soak') };
  const at = given.findIndex((word) => /^--grep(?:=|$)/.test(word));
  if (at === -1) return { words: given, title: undefined, ...flags };
  const [flag = '', next = ''] = given.slice(at);
  const inOne = flag.startsWith('--grep=');
  const title = inOne ? flag.slice('--grep='.length) : next;
  if (title === '') throw new Error('--grep needs the words that a title must contain.');
  return { words: given.toSpliced(at, inOne ? 1 : 2), title, ...flags };
}

const pattern = '**/*.test.{ts,mjs}';
// These install what others have made, first: each is its own suite.
const isApart = (path: string): boolean => /^test\/(?:lab|conformance)(?:\/|$)/.test(path);
// These repeat a proof at length.
const isSoakFile = (path: string): boolean => path.endsWith('.soak.test.ts');
/** What a file imports that does more in soak. */
const soakSupport = /\/(?:support\/(?:soak|some-of)|axe)\.ts'/;

/**
 * The test files that words name, relative to the repository if they are in it; every default one if there are no
 * words. A word is a file, a folder or a pattern.
 * @throws Error that says which word names no tests.
 */
export function selectTests(words: readonly string[], repository: string): string[] {
  if (words.length === 0) return testsIn('test', repository);
  return [...new Set(words.flatMap((word) => testsOf(word, repository)))];
}

/** Files that share a database among several registries in each of their tests, in the suite only some of them. */
const onSharedDatabase = /^test\/registry\//;

/** The files that do more in soak than in the suite, or run there alone. */
export function selectSoak(repository: string): string[] {
  const all = globSync(`test/${pattern}`, { cwd: repository }).toSorted();
  const hasMore = (file: string): boolean =>
    onSharedDatabase.test(file) ||
    filesInTurn.has(file) ||
    soakSupport.test(readFileSync(resolve(repository, file), 'utf8'));
  return all.filter((file) => !isApart(file) && (isSoakFile(file) || hasMore(file)));
}

function testsOf(word: string, repository: string): string[] {
  if (word.startsWith('-')) throw new Error(`${word} is no flag of the tests. npm test -- --help says what there is.`);
  const path = word.replace(/^\.\//, '').replace(/\/+$/, '');
  const found = statSync(resolve(repository, path), { throwIfNoEntry: false });
  if (found?.isFile()) return [path];
  const files = found?.isDirectory() ? testsIn(path, repository) : globSync(path, { cwd: repository }).toSorted();
  const tests = files.filter((file) => /\.test\.(?:ts|mjs)$/.test(file));
  if (tests.length > 0) return tests;
  throw new Error(`${word} names no test: give a file, a folder or a pattern such as test/cli.`);
}

function testsIn(folder: string, repository: string): string[] {
  const files = globSync(`${folder}/${pattern}`, { cwd: repository }).toSorted();
  const usual = files.filter((file) => !isSoakFile(file));
  return isApart(folder) ? usual : usual.filter((file) => !isApart(file));
}
