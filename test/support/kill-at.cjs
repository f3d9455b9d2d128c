// Loaded first into a process (`--require`): ends it, as `kill -9` does, before the change of files whose number
// MUSTER_TEST_KILL_AT gives. Only changes within the folder that MUSTER_TEST_KILL_WITHIN names count. Plain JavaScript, since
// it is loaded before anything can be.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { MUSTER_TEST_KILL_AT: at, MUSTER_TEST_KILL_WITHIN: folder } = process.env;
const changes = {
  sync: ['copyFileSync', 'linkSync', 'mkdirSync', 'mkdtempSync', 'renameSync', 'rmSync', 'createWriteStream'],
  promises: ['copyFile', 'mkdir', 'rename', 'rm'],
};
let count = 0;

/** The same function, which counts each call that changes something in the folder. */
function counted(change) {
  return function (...given) {
    if (given.slice(0, 2).some((path) => typeof path === 'string' && path.startsWith(`${folder}/`))) {
      count += 1;
      if (count === Number(at)) process.kill(process.pid, 'SIGKILL');
    }
    return change.apply(this, given);
  };
}

if (at !== undefined) {
  for (const name of changes.sync) fs[name] = counted(fs[name]);
  for (const name of changes.promises) fs.promises[name] = counted(fs.promises[name]);
  const { openSync } = fs;
  const { open } = fs.promises;
  // A file is changed only if it is opened for that.
  const writes = (flags) => typeof flags === 'string' && flags !== 'r';
  fs.openSync = (path, flags, ...more) => (writes(flags) ? counted(openSync) : openSync)(path, flags, ...more);
  fs.promises.open = (path, flags, ...more) => (writes(flags) ? counted(open) : open)(path, flags, ...more);
  syncBuiltinESMExports();
}
