import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate folder for one test, removed with all that is in it once the test is over. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** Makes a folder for one test. */
export function temporaryFolder(name: string): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), `muster-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
