// Builds what the package of the TypeScript client contains: its modules as JavaScript with types, and the code generated
// from proto/. `npm pack` runs it.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
const bin = join(here, '..', '..', 'node_modules', '.bin');
const dist = join(here, 'dist');

rmSync(dist, { recursive: true, force: true });
cpSync(join(here, 'generated'), join(dist, 'generated'), {
  recursive: true,
  dereference: true,
  filter: (path) => !path.endsWith('.sha256'),
});
execFileSync(join(bin, 'tsc'), ['-p', here], { stdio: ['ignore', 2, 2] });
