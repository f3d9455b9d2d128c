import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { findProgram as findIn } from './program/find-program.mjs';

/** The programs that muster runs and npm does not install. Without tmux, muster uses embedded panes. */
export const requirements = [
  {
    program: 'nats-server',
    min: '2.9.10',
    versionArgs: ['--version'],
    why: 'the bus between the processes of muster',
  },
  // tmux knows the option remain-on-exit-format from 3.3 on; an earlier one refuses to start with it.
  { program: 'tmux', min: '3.3', versionArgs: ['-V'], why: 'the windows that agents run in' },
  { program: 'git', min: '2.38', versionArgs: ['--version'], why: 'worktrees and snapshots' },
];

/**
 * Chromium, the preferred one first: without the parts that draw a window, it takes less than half the processor time.
 * Not every system has it as a package.
 */
const browsers = ['chromium-headless-shell', 'chromium'];

/**
 * What the tests need in addition, with alternatives. The exact version does not matter, and asking Chromium for it
 * takes longer than everything else.
 */
export const testRequirements = [
  { program: browsers[0], or: browsers[1], min: '100', why: 'the tests of the page' },
  { program: 'openssl', min: '3.0', why: 'the certificates of tests' },
  // Only Linux has the namespaces that sandboxes are made of.
  ...(process.platform === 'linux'
    ? [
        { program: 'bwrap', package: 'bubblewrap', min: '0.8', why: 'the tests of sandboxes' },
        { program: 'socat', min: '1.7', why: 'the tests of sandboxes' },
      ]
    : []),
];

/** Folders for programs that a person's PATH may not have, such as /usr/sbin, where Debian puts nats-server. */
const defaultFolders = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

/** An example of how to install a program on this system. */
export function howToInstall(program, platform = process.platform) {
  return platform === 'darwin' ? `brew install ${program}` : `sudo apt-get install ${program}`;
}

/**
 * The full path of a program that muster may run, on the PATH or in the folders where systems put it; undefined if
 * there is none.
 */
export function findProgram(program, path = process.env.PATH ?? '') {
  return findIn(program, [path, ...defaultFolders].join(delimiter));
}

/** The full path of the browser that tests use, or undefined if there is none. */
export function findBrowser() {
  return browsers.map((program) => findProgram(program)).find((path) => path !== undefined);
}

/** The version that a program reports, such as `3.3a`; undefined if it reports none. */
export function versionOf(file, args) {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: 10_000 }, (error, stdout, stderr) => {
      resolve(error ? undefined : /\d+(\.\d+)+[a-z]?/.exec(`${stdout}${stderr}`)?.[0]);
    });
  });
}

/** Whether a version is at least `min`, compared number by number. */
export function isAtLeast(version, min) {
  const numbers = (text) => text.split('.').map((part) => Number.parseInt(part, 10));
  const have = numbers(version);
  for (const [index, wanted] of numbers(min).entries()) {
    const got = have[index] ?? 0;
    if (got !== wanted) return got > wanted;
  }
  return true;
}

/** What is installed of a required program: its path, its version, and whether that is new enough. */
export async function probe({ program, min, versionArgs }, path) {
  const file = findProgram(program, path);
  const version = file && (await versionOf(file, versionArgs));
  return { file, version, enough: version !== undefined && isAtLeast(version, min) };
}
