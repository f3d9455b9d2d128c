import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedProgram as installed } from '#test/support/npm-package.ts';
import { newestPin, type Pin } from './cli/pins.ts';

const ownFolder = fileURLToPath(new URL('../../.cache/lab', import.meta.url));

/**
 * The program of a CLI, in the newest version that is known here or in that of a pin, installed through npm on first
 * use: into `.cache/lab/<name>/<version>`, or into the same under the folder that MUSTER_TEST_CLIS names. It is 100 to
 * 400 MB.
 * @throws Error when npm cannot install it
 */
export function installedProgram(harness: string, pin: Pin = newestPin(harness)): Promise<string> {
  const folder = join(process.env['MUSTER_TEST_CLIS'] || ownFolder, harness, pin.version);
  return installed({ name: pin.package, version: pin.version, program: harness }, folder);
}
