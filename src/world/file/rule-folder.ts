import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundRuleFile, harnessNamePattern } from '#contract/pane/harness-file.ts';
import { installedFile, installedRules } from './installed-rules.ts';
import { readRegularFile } from './regular-file.ts';
import { trustedKeysFile } from './trusted-keys.ts';

/** The maximum size of a rules file, in bytes. */
const maxBytes = 1024 * 1024;
/** How long after a change files are read, in milliseconds, so that an editor has finished writing. */
const gatherMs = 100;
/** How often the folder is checked without a notification, in milliseconds. Not every file system sends them. */
const everyMs = 5_000;

/**
 * Reads every `<harness>.json` in a folder, ordered by name, and the rules of the installed bundle for other harnesses;
 * none if the folder does not exist.
 */
export async function readRuleFolder(folder: string): Promise<FoundRuleFile[]> {
  const files: FoundRuleFile[] = [];
  for (const name of await namesIn(folder)) files.push(await readRuleFile(folder, name));
  return [...files, ...(await installedRules(folder, new Set(files.map(({ harness }) => harness))))];
}

async function readRuleFile(folder: string, name: string): Promise<FoundRuleFile> {
  const path = join(folder, name);
  const harness = name.replace(/\.json$/, '');
  if (!harnessNamePattern.test(harness)) {
    const fault = `${harness} is not a name of a harness: it may contain only a to z, 0 to 9 and -, and at most 40 of them`;
    return { harness, path, text: undefined, fault };
  }
  const file = await readRegularFile(path, { maxBytes: maxBytes, followLinks: true });
  const fault = `it cannot be read, is not a file or is larger than ${maxBytes} bytes`;
  return { harness, path, text: file?.content.toString('utf8').replace(/^\ufeff/, ''), fault: file ? '' : fault };
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).toSorted();
}

/** Watches a folder for changes until it is stopped. */
export interface FolderWatch {
  stop(): void;
}

/**
 * Calls `changed` whenever a file in the folder may have changed: soon after a notification of the operating system,
 * and otherwise within five seconds. The folder need not exist yet. No change after this resolves is missed.
 */
export async function watchRuleFolder(folder: string, changed: () => void): Promise<FolderWatch> {
  let last: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const now = await stampOf(folder);
    const before = last;
    last = now;
    if (before !== undefined && before !== now) changed();
  };
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void look();
    }, gatherMs);
  };
  let watcher = watcherOf(folder, soon);
  const poll = setInterval(() => {
    watcher ??= watcherOf(folder, soon);
    void look();
  }, everyMs);
  await look();
  return {
    stop() {
      clearInterval(poll);
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** The names, sizes and times of a folder's files as one text. */
async function stampOf(folder: string): Promise<string> {
  const stamps = await Promise.all(
    [...(await namesIn(folder)), installedFile, trustedKeysFile].map(async (name) => {
      const found = await stat(join(folder, name), { bigint: true }).catch(() => undefined);
      return `${name} ${found?.size} ${found?.mtimeNs} ${found?.ctimeNs} ${found?.ino}`;
    }),
  );
  return stamps.join('\n');
}

/** The operating system's notifications; undefined if there are none for this folder. */
function watcherOf(folder: string, notice: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, notice);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
