import { join } from 'node:path';
import { readRegularFile } from './regular-file.ts';

/** The largest file that is read, in bytes. */
const maxBytes = 64 * 1024;

/** A text that a person has put into a folder in place of one of muster's; undefined if there is none. */
export async function readBriefing(folder: string, name: string): Promise<string | undefined> {
  const file = await readRegularFile(join(folder, name), { maxBytes: maxBytes, followLinks: true });
  return file?.content.toString('utf8').trim();
}
