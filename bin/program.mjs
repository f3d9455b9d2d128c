// Bundles muster into dist/program, so that a process loads a few files instead of a thousand. `npm start` and `npm test`
// run this. It prints nothing if the bundle is up to date. Without a bundle, `bin/muster.mjs` runs the sources.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle, writeStamp } from './bundle.mjs';
import { builtProgram, bundles, processEntries, stampFile } from './program-state.mjs';

/** How many older bundles are kept, for processes that are still running. */
const olderKept = 2;

if (builtProgram() === undefined) await build();

async function build() {
  process.stderr.write('muster: bundling the program …\n');
  mkdirSync(bundles, { recursive: true });
  const made = mkdtempSync(join(bundles, 'made-'));
  try {
    // A file that changes after this moment makes the bundle outdated.
    const before = Date.now();
    const output = await bundle(processEntries, made);
    putInPlace(made, output, before);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

/** Makes a bundle the current one, and removes older ones, except the newest `olderKept`. */
function putInPlace(made, output, before) {
  const folder = basename(made).replace('made-', '');
  chmodSync(made, 0o755);
  renameSync(made, join(bundles, folder));
  writeStamp(stampFile, output, before, { folder });
  const madeAt = (name) => statSync(join(bundles, name)).mtimeMs;
  const folders = readdirSync(bundles, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const older = folders.map(({ name }) => name).filter((name) => name !== folder && !name.startsWith('made-'));
  older.sort((a, b) => madeAt(b) - madeAt(a));
  for (const name of older.slice(olderKept)) rmSync(join(bundles, name), { recursive: true, force: true });
}
