import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from './private-file.ts';

/** The file next to the rules with the highest installed serial of each key: each line has a key and a serial. */
const serialsFile = 'installed.serials';

/** The highest serial of a key's bundles that was ever installed; 0 if none was. */
export function serialOf(folder: string, key: string): number {
  return serialsIn(folder).get(key) ?? 0;
}

/** Records that a bundle is installed. The record stays after the bundle is removed. */
export function noteSerial(folder: string, key: string, serial: number): void {
  write(folder, serialsIn(folder).set(key, Math.max(serial, serialOf(folder, key))));
}

/** Forgets a key's bundles, so that any of them can be installed once it is trusted again. */
export function forgetSerial(folder: string, key: string): void {
  const serials = serialsIn(folder);
  if (serials.delete(key)) write(folder, serials);
}

function serialsIn(folder: string): Map<string, number> {
  const lines = (readPrivateFile(join(folder, serialsFile)) ?? '').split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [, key = '', serial = ''] = /^([0-9a-f]{64}) (\d{1,16})$/.exec(line) ?? [];
      return key === '' ? [] : [[key, Number(serial)]];
    }),
  );
}

function write(folder: string, serials: ReadonlyMap<string, number>): void {
  writePrivateFile(join(folder, serialsFile), [...serials].map(([key, serial]) => `${key} ${serial}\n`).join(''));
}
