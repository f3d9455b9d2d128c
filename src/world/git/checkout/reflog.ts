import { join } from 'node:path';
import { readRegularFile } from '#world/file/regular-file.ts';

/** A change of a reference: the object that it names since then, and git's message. */
export interface ReflogEntry {
  readonly sha: string;
  readonly message: string;
}

/** Git's log of a reference in a git directory, oldest first; empty if git keeps none. */
export async function readReflog(gitDir: string, reference: string): Promise<readonly ReflogEntry[]> {
  const log = await readRegularFile(join(gitDir, 'logs', reference), { maxBytes: 16 * 1024 * 1024, followLinks: true });
  const lines = log?.content.toString('utf8').split('\n') ?? [];
  return lines.map((line) => {
    const [change = '', message = ''] = line.split('\t');
    return { sha: change.split(' ')[1] ?? '', message };
  });
}
