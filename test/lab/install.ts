import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedProgram as installed } from '#test/support/npm-package.ts';
import { newestPin, type Pin } from './cli/pins.ts';

const ownFolder = fileURLToPath(new URL('../../.cache/lab', import.meta.url));
const aiderStandIn = fileURLToPath(new URL('cli/aider-stand-in.py', import.meta.url));

/**
 * The program of a CLI, in the newest version that is known here or in that of a pin, installed through npm on first
 * use: into `.cache/lab/<name>/<version>`, or into the same under the folder that MUSTER_TEST_CLIS names. It is 100 to
 * 400 MB. For aider, which npm does not have, a stand-in in a virtual environment of Python.
 * @throws Error when it cannot be installed
 */
export async function installedProgram(harness: string, pin?: Pin): Promise<string> {
  const clis = process.env['MUSTER_TEST_CLIS'] || ownFolder;
  if (harness === 'aider') return standInForAider(join(clis, harness, 'stand-in'));
  const { package: name, version } = pin ?? newestPin(harness);
  return installed({ name, version, program: harness }, join(clis, harness, version));
}

function standInForAider(folder: string): string {
  execFileSync('python3', ['-m', 'venv', '--without-pip', folder]);
  const program = join(folder, 'bin', 'aider');
  writeFileSync(program, `#!${join(folder, 'bin', 'python')}\n${readFileSync(aiderStandIn, 'utf8')}`, { mode: 0o755 });
  return program;
}
