// Bundles modules of muster with Rolldown, so that a process loads a few files instead of a thousand.
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { makers, root, versionOf } from './program-state.mjs';

/** The commands that scripts and agents run most. */
const oftenRun = ['ls', 'show', 'new', 'read', 'wait', 'steer', 'agent-verb'].map(
  (name) => `src/cli/commands/agent/${name}.ts`,
);

/** Packages that load a native library from their own folder. */
const external = ['better-sqlite3', 'node-pty'];

/**
 * Bundles entries (name to path below the root) into a folder three below the root, where it stays or is moved to.
 * Returns what Rolldown wrote. With `isShipped`, the source maps name places in sources without containing them.
 */
export async function bundle(entries, folder, { isShipped = false } = {}) {
  const { rolldown } = await import('rolldown');
  const [ofCommands, ofOftenRun] = [new Set(), new Set()];
  const made = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
    platform: 'node',
    external,
    plugins: [
      ownPlaces(entries),
      lateSpawning(),
      withoutFaces(),
      collectImports(['src/cli/main.ts'], ofCommands),
      collectImports(oftenRun, ofOftenRun),
    ],
  });
  const { output } = await made.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: isShipped,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // What every command loads is one file, and what the most frequent ones load is another: each file costs half a
    // millisecond.
    codeSplitting: {
      groups: [
        { name: 'command', test: (id) => ofCommands.has(id), priority: 2 },
        { name: 'often-run', test: (id) => ofOftenRun.has(id), priority: 1 },
      ],
    },
  });
  await made.close();
  return output;
}

/** Rewrites `import.meta.url`, so that modules find files next to their sources, and other entries in the bundle. */
function ownPlaces(entries) {
  const names = new Map(Object.entries(entries).map(([name, path]) => [join(root, path), name]));
  return {
    name: 'own-places',
    transform(code, id) {
      if (!isOwn(id) || !code.includes('import.meta')) return null;
      const threaded = code.replace(/'([^'\n]+)', import\.meta\.url/g, (text, path) => {
        const name = names.get(resolve(dirname(id), path));
        return name === undefined ? text : `'./${name}.js', BUNDLE`;
      });
      const place = JSON.stringify(join('..', '..', '..', relative(root, id)));
      const placed = threaded.replaceAll('import.meta.url', `new URL(${place}, BUNDLE).href`);
      const left = /import\.meta\b(?!\.main)/.exec(placed);
      if (left) throw new Error(`${id} uses import.meta in a way that the bundler does not support`);
      return { code: placed.replaceAll('BUNDLE', 'import.meta.url'), map: null };
    },
  };
}

/** Modules of Node whose functions few commands call: in what commands load, the first call loads them. */
const late = ['node:child_process', 'node:fs/promises', 'node:stream/consumers', 'node:timers/promises'];

/** Collects modules with all that they import, directly or not. */
function collectImports(entries, found) {
  return {
    name: 'collect-imports',
    buildEnd() {
      const visit = (id) => {
        if (found.has(id)) return;
        found.add(id);
        for (const next of this.getModuleInfo(id)?.importedIds ?? []) visit(next);
      };
      for (const entry of entries) visit(join(root, entry));
    },
  };
}

/** Has commander load what starts programs only when it starts one, which muster has it never do: 4 ms of each command. */
function lateSpawning() {
  const loaded = "import childProcess from 'node:child_process';";
  const late =
    "const childProcess = { spawn: (...given) => process.getBuiltinModule('node:child_process').spawn(...given) };";
  return {
    name: 'late-spawning',
    transform(code, id) {
      if (!id.endsWith('/commander/lib/command.js')) return null;
      if (!code.includes(loaded)) throw new Error(`${id} does not load node:child_process as it did`);
      return { code: code.replace(loaded, late), map: null };
    },
  };
}

/**
 * Takes Node's own modules without the faces that an `import` gives them. A face reads every export, which loads what
 * each leads to: the one of node:http all of fetch (40 ms), the one of node:util the text decoders (6 ms).
 */
function withoutFaces() {
  const imported = /^import (?:(?:([\w$]+)(?:, )?)?(?:\{ (.+) \}|\* as ([\w$]+))? from )?"([\w:/]+)";$/gm;
  return {
    name: 'without-faces',
    renderChunk(code, { name: chunk }) {
      const isOfCommands = chunk === 'command' || chunk === 'often-run';
      const taken = code.replace(imported, (line, whole, parts, all, name) => {
        if (!isBuiltin(name)) return line;
        const names = [whole, all, parts && `{ ${parts.replaceAll(' as ', ': ')} }`].filter(Boolean);
        const functions = isOfCommands && late.includes(name) && parts?.split(', ').map((part) => part.split(' as '));
        if (functions && !whole && !all) {
          const lateOf = ([of, as = of]) =>
            `${as} = (...given) => globalThis.process.getBuiltinModule("${name}").${of}(...given)`;
          return `var ${functions.map(lateOf).join(', ')};`;
        }
        const from = `globalThis.process.getBuiltinModule("${name}")`;
        return names.length === 0 ? `${from};` : `var ${names.map((one) => `${one} = ${from}`).join(', ')};`;
      });
      return { code: taken, map: null };
    },
  };
}

function isOwn(id) {
  return id.startsWith(root) && !id.includes('node_modules');
}

/**
 * Writes a stamp with the versions of a bundle's sources: muster's own modules, and the other files that it depends on. One
 * that changed after `before`, in milliseconds since 1970, makes the bundle outdated.
 */
export function writeStamp(file, output, before, more = {}) {
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds.filter(isOwn));
  const paths = new Set([...makers, ...modules.map((id) => relative(root, id))]);
  const sources = [...paths].map((path) => [
    path,
    statSync(join(root, path)).mtimeMs < before ? versionOf(path) : 'changed',
  ]);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ ...more, sources }));
  renameSync(draft, file);
}
