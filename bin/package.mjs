// Builds what the npm package has in place of sources: the page, and a bundle in dist/package, unless both are up to date.
// `npm pack` runs it. The same sources give the same bytes.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle, writeStamp } from './bundle.mjs';
import { currentStamp, packaged, packageStampFile, processEntries } from './program-state.mjs';
import './page.mjs';

/** What hooks and `muster demo` start. */
const programs = {
  report: 'src/cli/report.ts',
  demo: 'examples/fleet/demo.ts',
  player: 'examples/fleet/player.ts',
};

if (currentStamp(packageStampFile) === undefined || !existsSync(packaged)) await build();

async function build() {
  process.stderr.write('muster: bundling the package …\n');
  const place = dirname(packaged);
  mkdirSync(dirname(place), { recursive: true });
  const made = mkdtempSync(`${place}-`);
  try {
    chmodSync(made, 0o755);
    const before = Date.now();
    const folder = join(made, 'program');
    const output = [
      ...(await bundle(processEntries, folder, { isShipped: true, startedAs: programs })),
      ...(await bundle(programs, folder, { isShipped: true, format: 'esm' })),
    ];
    rmSync(place, { recursive: true, force: true });
    renameSync(made, place);
    writeStamp(packageStampFile, output, before);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
