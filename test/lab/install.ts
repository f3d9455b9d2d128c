import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedProgram as installed } from '#test/support/npm-package.ts';
import type { LabCli } from './cli/definition.ts';

const ownFolder = fileURLToPath(new URL('../../.cache/lab', import.meta.url));

/**
 * The program of a CLI in the version that is known here, installed through npm on first use: into `.cache/lab/<name>`,
 * or into the same under the folder that MUSTER_TEST_CLIS names. It is 100 to 400 MB.
 * @throws Error where npm cannot install it
 */
export function installedProgram({ harness, package: name, version }: LabCli): Promise<string> {
  return installed({ name, version, program: harness }, join(process.env['MUSTER_TEST_CLIS'] || ownFolder, harness));
}
