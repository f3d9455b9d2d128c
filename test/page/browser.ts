import { type Browser, chromium } from 'playwright-core';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { findBrowser } from '#world/requirements.mjs';

/** The flags of a Chromium without network access, which also runs as root. */
const browserArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The home of every browser that this process starts. */
let home: TemporaryFolder | undefined;

/** The browser that the files of this process share: to start one takes as long as a test. */
let shared: Promise<Browser> | undefined;

/** The browser of this process; whoever opens a context in it closes it. Mocha ends it with the process. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/** Closes the browser of this process, if it has one: open, it keeps the process from ending. */
export async function closeSharedBrowser(): Promise<void> {
  const open = shared;
  shared = undefined;
  await (await open)?.close();
}

/** Closes what is open in the shared browser. */
export async function closeContexts(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/**
 * Starts Chromium with its own home, so that it reads and writes nothing of the person’s: what plays its sounds keeps
 * files there and in the temporary folder. The home goes when this process ends, for some of a browser’s processes
 * outlive it by a moment.
 *
 * @param environment what its processes have in their environment besides
 */
export async function launchBrowser(environment: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('there is no chromium: npm test installs it');
  const { path } = homeOfBrowsers();
  const own = { HOME: path, TMPDIR: path, XDG_RUNTIME_DIR: path, XDG_CONFIG_HOME: path };
  const env = { ...process.env, ...own, ...environment } as Record<string, string>;
  return chromium.launch({ executablePath, args: [...browserArguments], env });
}

function homeOfBrowsers(): TemporaryFolder {
  if (home !== undefined) return home;
  const made = temporaryFolder('browser');
  process.once('exit', () => made.remove());
  home = made;
  return made;
}
