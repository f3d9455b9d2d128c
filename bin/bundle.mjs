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

/** How the modules of each format end. */
const endings = { cjs: 'cjs', esm: 'js' };

/**
 * Bundles entries (name to path below the root) into a folder three below the root, where it stays or is moved to.
 * Returns what Rolldown wrote. In CommonJS, because V8 takes the compiled code of a script that has run
 * (`program-loader.mjs`), and of a module only before. With `isShipped`, the source map names places in sources without
 * containing them. `startedAs` are entries of another bundle in the folder, in ES modules, that these start.
 */
export async function bundle(entries, folder, { isShipped = false, format = 'cjs', startedAs = {} } = {}) {
  const { rolldown } = await import('rolldown');
  const [ofCommands, ofOftenRun] = [new Set(), new Set()];
  const started = new Map(
    [
      [entries, endings[format]],
      [startedAs, endings.esm],
    ].flatMap(([group, ending]) =>
      Object.entries(group).map(([name, path]) => [join(root, path), `${name}.${ending}`]),
    ),
  );
  const made = await rolldown({
    input: Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(root, path)])),
    platform: 'node',
    external,
    // MikroORM asks where a package of the program is, to read the version of each: muster has none of them.
    onLog: (level, log, otherwise) => log.code === 'EMPTY_IMPORT_META' || otherwise(level, log),
    plugins: [
      ownPlaces(started),
      commanderStart(),
      format === 'esm' ? withoutFaces() : withoutCopies(),
      inAscii(),
      collectImports(['src/cli/main.ts'], ofCommands),
      collectImports(oftenRun, ofOftenRun),
    ],
  });
  const { output } = await made.write({
    dir: folder,
    format,
    strict: true,
    sourcemap: true,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    sourcemapExcludeSources: isShipped,
    entryFileNames: `[name].${endings[format]}`,
    chunkFileNames: `[name]-[hash].${endings[format]}`,
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

/** Rewrites `import.meta.url`, so that modules find files next to their sources, and entries (path to file) in the bundle. */
function ownPlaces(started) {
  return {
    name: 'own-places',
    transform(code, id) {
      if (!isOwn(id) || !code.includes('import.meta')) return null;
      const threaded = code.replace(/'([^'\n]+)', import\.meta\.url/g, (text, path) => {
        const file = started.get(resolve(dirname(id), path));
        return file === undefined ? text : `'./${file}', BUNDLE`;
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
const late = ['node:child_process', 'node:fs/promises', 'node:net', 'node:stream/consumers', 'node:timers/promises'];

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

/** What commander does for every command, and muster never needs: by file, the code and what replaces it. */
const costly = {
  // It loads what starts programs, which muster has it never do: 4 ms of each command.
  'command.js': [
    "import childProcess from 'node:child_process';",
    "const childProcess = { spawn: (...given) => process.getBuiltinModule('node:child_process').spawn(...given) };",
  ],
  // It collects all letters of Unicode for a flag that may take several values: 2 ms.
  'option.js': ['this.variadic = /', "this.variadic = flags.includes('...') && /"],
};

/** Takes what commands need not do out of commander. */
function commanderStart() {
  return {
    name: 'commander-start',
    transform(code, id) {
      const [, file] = /\/commander\/lib\/([\w.]+)$/.exec(id) ?? [];
      const [slow, fast] = costly[file] ?? [];
      if (slow === undefined) return null;
      if (!code.includes(slow)) throw new Error(`${id} does not contain ${slow} as it did`);
      return { code: code.replace(slow, fast), map: null };
    },
  };
}

/** Writes other characters than ASCII's as escapes: of a text with one, V8 reads and hashes twice the bytes at each start. */
function inAscii() {
  return {
    name: 'in-ascii',
    renderChunk(code, { name: chunk }) {
      if (!isOfCommands(chunk)) return null;
      if (/\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f]/.test(code))
        throw new Error(`${chunk} has a character that no escape replaces`);
      const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
      return { code: code.replace(/[^\0-\x7f]/g, escaped), map: null };
    },
  };
}

function isOfCommands(chunk) {
  return chunk === 'command' || chunk === 'often-run';
}

/**
 * Takes Node's own modules as they are, without copies of what they export, and in what commands load the late ones
 * where they are used.
 */
function withoutCopies() {
  const taken = /^let ([\w$]+) = require\("(node:[\w/]+)"\);\n(?:\1 = [\w$.]+\(\1(?:, 1)?\);\n)?/gm;
  return {
    name: 'without-copies',
    renderChunk(code, { name: chunk }) {
      let whole = code;
      for (const [line, name, module] of code.matchAll(taken)) {
        const isCopied = line.includes(`\n${name} = `);
        if (isOfCommands(chunk) && late.includes(module) && !isCopied) {
          whole = whole.replace(line, '').replace(new RegExp(`\\b${name}\\.`, 'g'), `require("${module}").`);
        } else if (isCopied) {
          const itself = `Object.create(require("${module}"), { default: { value: require("${module}") } })`;
          whole = whole.replace(line, `let ${name} = ${itself};\n`);
        }
      }
      return { code: whole, map: null };
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
    renderChunk(code) {
      const taken = code.replace(imported, (line, whole, parts, all, name) => {
        if (!isBuiltin(name)) return line;
        const names = [whole, all, parts && `{ ${parts.replaceAll(' as ', ': ')} }`].filter(Boolean);
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
