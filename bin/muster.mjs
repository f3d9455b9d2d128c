// The entry point. It runs the bundle if that matches the current sources, and otherwise the sources. Compiled code that an
// earlier run left halves the start time of a command: `program-loader.mjs` has that of the bundle, Node's own compile cache
// that of all else. The latter is only for modules that load after it is enabled: so this file is plain JavaScript and
// imports almost nothing. If neither can be written, muster only starts more slowly.
import module from 'node:module';

// Each file that this loads costs a command half a millisecond: so the version, and what the package has, are looked at here.
if (Number.parseInt(process.versions.node, 10) < 24) await import('./refuse-older-node.mjs');
const require = module.createRequire(import.meta.url);
const { existsSync } = require('node:fs');
const { homedir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { fileURLToPath } = require('node:url');
const { XDG_CACHE_HOME: cacheHome = '' } = process.env;
const cache = join(isAbsolute(cacheHome) ? cacheHome : join(homedir(), '.cache'), 'muster');
const [, , command = ''] = process.argv;
const hasSources = existsSync(new URL('../src/main.ts', import.meta.url));
const packaged = fileURLToPath(new URL('../dist/package/program/main.cjs', import.meta.url));
const built = hasSources ? require('./program-state.mjs').builtProgram() : packaged;
if (built !== undefined) {
  // Most commands read no stack: what names its places in the sources loads with the first that is read.
  Error.prepareStackTrace = (error, frames) => {
    Error.prepareStackTrace = undefined;
    try {
      require('./source-places.mjs').nameSourcePlaces(dirname(dirname(built)));
    } catch {
      // While an upgrade replaces the package, or without a free descriptor, stacks name places in the bundle.
    }
    return Error.prepareStackTrace?.(error, frames) ?? `${error}\n    at ${frames.join('\n    at ')}`;
  };
}
// Not `muster host cordon NAME` or `muster start --help`, which end; `muster join` has the address that it joins.
const isProcess = ['start', 'registry', 'host', 'gateway'].includes(command)
  ? process.argv.length === 3
  : command === 'join';
// What a command loads besides the bundle is not worth the start of Node's cache.
if (built === undefined || isProcess) module.enableCompileCache(cache);
if (built === undefined) await import('../src/main.ts');
else
  require('./program-loader.mjs').runBundle(
    built,
    cache,
    isProcess ? { name: `${command}-process`, startMs: 10_000 } : { name: command },
  );
