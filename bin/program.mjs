// Bundles muster's own program into dist/program, so that a process loads a few files in place of a thousand: `npm
// start` and `npm test` run it. It is silent if the bundle is good. `bin/muster.mjs` runs the sources themselves until
// there is one.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { builtProgram, bundles, makers, markOf, root, stampFile } from './program-state.mjs';

/** Each in a process or a thread of its own. */
const entries = { main: 'src/main.ts', 'database-worker': 'src/store/sqlite/database-worker.ts' };
/** Packages that load a library of the machine's own kind from beside themselves. */
const external = ['better-sqlite3', 'node-pty'];
/** How many bundles are kept beside the newest: processes that still run load more of theirs. */
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
    // What is bundled is marked before it is read: a change meanwhile makes the bundle stale.
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

/** Has each module find the files beside it where they are in the sources, and the threads in the bundle. */
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
      if (left) throw new Error(`${id} asks for import.meta in a way that a bundle does not answer`);
      return { code: placed.replaceAll('BUNDLE', 'import.meta.url'), map: null };
    },
  };
}

function isOwn(id) {
  return id.startsWith(root) && !id.includes('node_modules');
}

/** The modules of a bundle that are muster's own, and what made it. */
function sourcesIn(output) {
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds.filter(isOwn));
  return [...new Set([...makers, ...modules.map((id) => relative(root, id))])];
}

/** Makes a bundle the one that counts, and removes those that are older than what may still run. */
function putInPlace(made, sources, before) {
  const folder = basename(made).replace('made-', '');
  chmodSync(made, 0o755);
  renameSync(made, join(bundles, folder));
  const marks = sources.map((path) => [path, statSync(join(root, path)).mtimeMs < before ? markOf(path) : 'changed']);
  const draft = join(bundles, `${folder}.json`);
  writeFileSync(draft, JSON.stringify({ folder, sources: marks }));
  renameSync(draft, stampFile);
  const madeAt = (name) => statSync(join(bundles, name)).mtimeMs;
  const folders = readdirSync(bundles, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const older = folders.map(({ name }) => name).filter((name) => name !== folder && !name.startsWith('made-'));
  older.sort((a, b) => madeAt(b) - madeAt(a));
  for (const name of older.slice(olderKept)) rmSync(join(bundles, name), { recursive: true, force: true });
}
