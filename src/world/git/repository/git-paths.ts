/** Splits git's NUL-terminated output. Latin-1 preserves names that are not UTF-8 byte by byte. */
export function splitPaths(output: Buffer): string[] {
  return output.toString('latin1').split('\0').slice(0, -1);
}

/** The reverse: paths as NUL-terminated input for git. */
export function joinPaths(paths: readonly string[]): Buffer {
  return Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
}

/** The full path, as bytes, of a Latin-1 path below a folder. */
export function bytesOf(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
}

/** A Latin-1 path for display. Bytes that are not UTF-8 are replaced. */
export function shownPath(path: string): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}
