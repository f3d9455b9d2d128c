import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const generator = join(import.meta.dirname, 'proto', 'protoc-gen-muster-python.ts');

/** Generates the modules of the Python client from a folder of proto files with buf and muster's own plugin. */
export function writePythonClient(proto: string, api: string): void {
  rmSync(api, { recursive: true, force: true });
  // One plugin writes all packages, since some of its modules are of none.
  const plugin = { local: [process.execPath, generator], out: api, strategy: 'all' };
  execFileSync(join(root, 'node_modules', '.bin', 'buf'), [
    'generate',
    proto,
    '--template',
    JSON.stringify({ version: 'v2', plugins: [plugin] }),
  ]);
}
