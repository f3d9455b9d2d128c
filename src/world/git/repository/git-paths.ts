/** Splits git's NUL-terminated output. Latin-1 keeps names that are not UTF-8 as they are, byte for byte. */
export function splitPaths(output: Buffer): string[] {
  return output.toString('latin1').split('\0').slice(0, -1);
}

/** The other way round: paths as git reads them from standard input. */
export function joinPaths(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}

/** The full path, byte for byte, of a Latin-1 path below a folder. */
export function bytesOf(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

/** A Latin-1 path as it is shown: what is not UTF-8 is replaced. */
export function shownPath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}
