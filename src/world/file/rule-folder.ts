import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundRuleFile, harnessNamePattern } from '#contract/pane/harness-file.ts';
import { installedFile, installedRules } from './installed-rules.ts';
import { readRegularFile } from './regular-file.ts';
import { trustedKeysFile } from './trusted-keys.ts';

/** The largest file of rules that is read, in bytes. */
const maxBytes = 1024 * 1024;
/** A change is looked at this long after it was noticed, so that an editor has written all of it; in milliseconds. */
const gatherMs = 100;
/** How often it is checked without a notification: not every file system sends one. */
const everyMs = 5_000;

/**
 * Reads every `<harness>.json` of a folder, in the order of their names, and what its installed bundle says of other
 * harnesses; none if there is no such folder.
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
  const fault = `it cannot be read, is no file or is larger than ${maxBytes} bytes`;
  return { harness, path, text: file?.content.toString('utf8').replace(/^\ufeff/, ''), fault: file ? '' : fault };
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith('.json') && !name.startsWith('.')).toSorted();
}

/** Looks whether a folder's files have changed until it is stopped. */
export interface FolderWatch {
  stop(): void;
}

/**
 * Calls back whenever a file of the folder may have changed: soon after the operating system notifies, and otherwise
 * within five seconds. The folder need not be there yet. What is read of the folder after this resolves misses no
 * change.
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

/** Names, sizes and times of a folder's files in one text. */
async function stampOf(folder: string): Promise<string> {
  const stamps = await Promise.all(
    [...(await namesIn(folder)), installedFile, trustedKeysFile].map(async (name) => {
      const found = await stat(join(folder, name), { bigint: true }).catch(() => undefined);
      return `${name} ${found?.size} ${found?.mtimeNs} ${found?.ctimeNs} ${found?.ino}`;
    }),
  );
  return stamps.join('\n');
}

/** The operating system's own notices; undefined if it gives none for this folder. */
function watcherOf(folder: string, notice: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, notice);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
