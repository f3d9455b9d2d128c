import { join } from 'node:path';
import { readRegularFile } from './regular-file.ts';

/** The maximum size of a file, in bytes. */
const maxBytes = 64 * 1024;

/** A person's own text that replaces one of muster's; undefined if there is none. */
export async function readBriefing(folder: string, name: string): Promise<string | undefined> {
  const file = await readRegularFile(join(folder, name), { maxBytes: maxBytes, followLinks: true });
  return file?.content.toString('utf8').trim();
}
