// Runs a command, or a process of muster, with the compiled code that an earlier run of it left. Node's own compile cache has
// a module as it is before it runs, without the functions that V8 compiles when they are first called: they take a fifth of
// a command's time, and an eighth of the start of a service. V8 refuses code of another version of its own.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const fs = require('node:fs');
const { basename, dirname, join } = require('node:path');
const vm = require('node:vm');

/** The age at which code is made again, in milliseconds: what its first run called may not be what others call. */
const maxAge = 24 * 60 * 60_000;
/** How long the code of a bundle stays that no command runs, in milliseconds. */
const maxIdle = 30 * maxAge;
/** Of how many bundles there is code at most: each edit of a checkout makes another one, whose code takes 14 MB. */
const maxBundles = 12;
const wrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'];

/** Runs a main module of a bundle. Below `cache` is the code of each command and process, of all modules that it loads. */
export function runBundle(main, cache, { name: use, startMs }) {
  const file = codeFile(main, cache, use);
  const mainSource = fs.readFileSync(main, 'utf8');
  const kept = readCodes(file, mainSource);
  const scripts = new Map();
  const loaded = new Map();
  let isOutdated = false;
  const load = (path) => {
    const known = loaded.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const name = basename(path);
    const cachedData = kept.codes?.get(name);
    const script = scriptOf(path, path === main ? mainSource : fs.readFileSync(path, 'utf8'), cachedData);
    scripts.set(name, script);
    if (cachedData === undefined || script.cachedDataRejected) isOutdated = true;
    const folder = dirname(path);
    const requireHere = createRequire(path);
    const take = (id) =>
      id.startsWith('./') ? load(join(folder, id)) : (process.getBuiltinModule(id) ?? requireHere(id));
    script.runInThisContext()(module.exports, take, module, path, folder);
    return module.exports;
  };
  const keep = (status) => {
    process.off('exit', keep);
    // A command that failed may have called little of what others call.
    const isBetter = status === 0 && !kept.succeeded;
    if (isOutdated || isBetter) writeCodes(file, { source: mainSource, succeeded: status === 0 }, scripts);
    kept.codes = undefined;
    scripts.clear();
  };
  process.on('exit', keep);
  // V8 throws away the code of functions that were not called for some time, such as those of the start.
  if (startMs !== undefined) setTimeout(keep, startMs, 0).unref();
  load(main);
}

function scriptOf(filename, source, cachedData) {
  return new vm.Script(wrapper.join(source), {
    filename,
    columnOffset: -wrapper[0].length,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData && { cachedData }),
  });
}

/** The file of a command's or process's code. Each installation has a folder of them, for each version of Node. */
function codeFile(main, cache, use) {
  const bundle = `${process.version}-${process.arch}-${fs.statSync(main).ino}`;
  return join(cache, 'commands', bundle, /^[a-z-]+$/.test(use) ? use : 'other');
}

/**
 * The code of each module by its name, and whether the command that made it succeeded; nothing if there is none, or it is old
 * or another bundle's. V8 does not compare sources: the main module names all others by a hash of what they contain.
 */
function readCodes(file, mainSource) {
  try {
    if (Date.now() - fs.statSync(file).mtimeMs > maxAge) return {};
    const bytes = fs.readFileSync(file);
    let at = 4 + bytes.readUInt32LE(0);
    const { source, succeeded, lengths } = JSON.parse(bytes.toString('utf8', 4, at));
    if (source !== mainSource) return {};
    const codes = lengths.map(([name, length]) => {
      at += length;
      return [name, bytes.subarray(at - length, at)];
    });
    return { codes: new Map(codes), succeeded };
  } catch {
    return {};
  }
}

/** Writes the code of modules. If that fails, commands only start more slowly. */
function writeCodes(file, about, scripts) {
  const draft = `${file}.${process.pid}`;
  try {
    const isNew = fs.mkdirSync(dirname(file), { recursive: true, mode: 0o700 }) !== undefined;
    // What cannot be written need not be made.
    fs.writeFileSync(draft, '', { mode: 0o600 });
    const codes = [...scripts].map(([name, script]) => [name, script.createCachedData()]);
    const index = Buffer.from(JSON.stringify({ ...about, lengths: codes.map(([name, code]) => [name, code.length]) }));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(index.length);
    fs.writeFileSync(draft, Buffer.concat([head, index, ...codes.map(([, code]) => code)]));
    fs.renameSync(draft, file);
    if (isNew) removeIdle(dirname(dirname(file)));
  } catch {
    removeQuietly(draft);
  }
}

function removeQuietly(path) {
  try {
    fs.rmSync(path, { force: true });
  } catch {}
}

/** Removes the code of bundles that no command runs any more, and of all but the latest. */
function removeIdle(folder) {
  const bundles = fs
    .readdirSync(folder)
    .map((name) => ({ path: join(folder, name), at: fs.statSync(join(folder, name)).mtimeMs }));
  for (const [place, { path, at }] of bundles.sort((a, b) => b.at - a.at).entries()) {
    if (place >= maxBundles || Date.now() - at > maxIdle) fs.rmSync(path, { recursive: true, force: true });
  }
}
