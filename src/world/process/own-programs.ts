import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that muster is installed in. */
export const ownFolder = fileURLToPath(new URL('../../../', import.meta.url));

/** Programs of muster that CLIs start on their own, as they are in this installation. */
export const ownPrograms = {
  /** The command line, which serves its tools to a CLI too. */
  muster: programOf('muster'),
  /** What hooks call. */
  report: programOf('muster-report'),
  plugin: programOf('opencode-reports.mjs'),
} as const;

function programOf(name: string): string {
  return join(ownFolder, 'bin', name);
}
