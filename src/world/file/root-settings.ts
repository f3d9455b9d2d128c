import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** Whether something exists at any of the paths. */
export function isAnyThere(paths: readonly string[]): boolean {
  return paths.some((path) => existsSync(path));
}

/**
 * Writes a settings file for a CLI that trusts it only if only root can have written it: root must own every
 * folder of the path, and no other user may write to any. Otherwise writes nothing and returns false.
 */
export function writeRootSettings(path: string, text: string): boolean {
  const folder = dirname(path);
  if (process.getuid?.() !== 0) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!isRootsAlone(realpathSync(folder)) || realpathSync(folder) !== folder) return false;
  if (readPrivateFile(path) !== text) writePrivateFile(path, text);
  return true;
}

const writtenByOthers = 0o022;

function isRootsAlone(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  if (uid !== 0 || (mode & writtenByOthers) !== 0) return false;
  return folder === dirname(folder) || isRootsAlone(dirname(folder));
}
