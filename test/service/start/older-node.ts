import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isAtLeast, versionOf } from '#world/requirements.mjs';
import { oldestNode } from '../../../bin/oldest-node.mjs';

/** The first Node of the PATH that is older than muster needs, with its version. */
export async function olderNode(): Promise<{ readonly file: string; readonly version: string } | undefined> {
  const files = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  for (const file of files.filter((one) => existsSync(one))) {
    const version = await versionOf(file, ['--version']);
    if (version !== undefined && !isAtLeast(version, oldestNode)) return { file, version };
  }
  return undefined;
}
