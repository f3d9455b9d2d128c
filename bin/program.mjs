// Bundles muster into dist/program, so that a process loads a few files instead of a thousand. `npm start` and `npm test`
// run this. It prints nothing if the bundle is up to date. Without a bundle, `bin/muster.mjs` runs the sources.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { builtProgram, bundles, makers, root, stampFile, versionOf } from './program-state.mjs';

/** The modules with which processes and threads start. */
const entries = { main: 'src/main.ts', 'database-worker': 'src/store/sqlite/database-worker.ts' };
/** Packages that load a native library from their own folder. */
const external = ['better-sqlite3', 'node-pty'];
/** How many older bundles are kept, for processes that are still running. */
const olderKept = 2;

if (builtProgram() === undefined) await build();

async function build() {
  process.stderr.write('muster: bundling the program …\n');
  const { rolldown } = await import('rolldown');
  mkdirSync(bundles, { recursive: true });
  const made = mkdtempSync(join(bundles, 'made-'));
  try {
    const bundle = await rolldown({
      input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
      platform: 'node',
      external,
      plugins: [ownPlaces()],
    });
    // A file that changes after this moment makes the bundle outdated.
    const before = Date.now();
    const { output } = await bundle.write({
      dir: made,
      format: 'esm',
      sourcemap: true,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    });
    await bundle.close();
    putInPlace(made, sourcesIn(output), before);
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    throw error;
  }
}

/** Rewrites `import.meta.url`, so that modules find files next to their sources, and threads in the bundle. */
function ownPlaces() {
  const threads = Object.entries(entries).map(([name, path]) => [`./${basename(path)}`, `./${name}.js`]);
  return {
    name: 'own-places',
    transform(code, id) {
      if (!isOwn(id) || !code.includes('import.meta')) return null;
      let placed = code;
      for (const [source, built] of threads)
        placed = placed.replace(`'${source}', import.meta.url`, `'${built}', BUNDLE`);
      const place = JSON.stringify(join('..', '..', '..', relative(root, id)));
      placed = placed.replaceAll('import.meta.url', `new URL(${place}, BUNDLE).href`);
      const left = /import\.meta\b(?!\.main)/.exec(placed);
      if (left) throw new Error(`${id} uses import.meta in a way that the bundler does not support`);
      return { code: placed.replaceAll('BUNDLE', 'import.meta.url'), map: null };
    },
  };
}

function isOwn(id) {
  return id.startsWith(root) && !id.includes('node_modules');
}

/** The sources of a bundle: muster's own modules, and the other files that it depends on. */
function sourcesIn(output) {
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds.filter(isOwn));
  return [...new Set([...makers, ...modules.map((id) => relative(root, id))])];
}

/** Makes a bundle the current one, and removes older ones, except the newest `olderKept`. */
function putInPlace(made, sources, before) {
  const folder = basename(made).replace('made-', '');
  chmodSync(made, 0o755);
  renameSync(made, join(bundles, folder));
  const versions = sources.map((path) => [
    path,
    statSync(join(root, path)).mtimeMs < before ? versionOf(path) : 'changed',
  ]);
  const draft = join(bundles, `${folder}.json`);
  writeFileSync(draft, JSON.stringify({ folder, sources: versions }));
  renameSync(draft, stampFile);
  const madeAt = (name) => statSync(join(bundles, name)).mtimeMs;
  const folders = readdirSync(bundles, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const older = folders.map(({ name }) => name).filter((name) => name !== folder && !name.startsWith('made-'));
  older.sort((a, b) => madeAt(b) - madeAt(a));
  for (const name of older.slice(olderKept)) rmSync(join(bundles, name), { recursive: true, force: true });
}
