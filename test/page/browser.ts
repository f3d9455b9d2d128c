import { type Browser, chromium } from 'playwright-core';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { findProgram } from '#world/requirements.mjs';

/** What Chromium is started with where it may not call anybody, also as root. */
const browserArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts Chromium with a home of its own, so that it reads and writes nothing of the person’s: what plays its sounds keeps files
 * there and in the temporary folder. The home goes when the browser is closed.
 *
 * @param environment what its processes have in their environment besides
 */
export async function launchBrowser(environment: Readonly<Record<string, string>> = {}): Promise<Browser> {
  const executablePath = findProgram('chromium');
  if (executablePath === undefined) throw new Error('there is no chromium: npm test installs it');
  const home = temporaryFolder('browser');
  const own = { HOME: home.path, TMPDIR: home.path, XDG_RUNTIME_DIR: home.path, XDG_CONFIG_HOME: home.path };
  const env = { ...process.env, ...own, ...environment } as Record<string, string>;
  const browser = await chromium.launch({ executablePath, args: [...browserArguments], env });
  browser.on('disconnected', () => home.remove());
  return browser;
}
