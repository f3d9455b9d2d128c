// Loaded first into a process (`--require`): ends it, as `kill -9` does, before the change of files whose number
// MUSTER_TEST_KILL_AT gives, or before the first one of a file whose path contains MUSTER_TEST_KILL_BEFORE. Only changes within the folder that MUSTER_TEST_KILL_WITHIN names count. Plain JavaScript, since
// it is loaded before anything can be.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { MUSTER_TEST_KILL_AT: at, MUSTER_TEST_KILL_BEFORE: name, MUSTER_TEST_KILL_WITHIN: folder } = process.env;
const changes = {
  sync: ['copyFileSync', 'linkSync', 'mkdirSync', 'mkdtempSync', 'renameSync', 'rmSync', 'createWriteStream'],
  promises: ['copyFile', 'mkdir', 'rename', 'rm'],
};
let count = 0;

/** The same function, which counts each call that changes something in the folder. */
function counted(change) {
  return function (...given) {
    const within = given.slice(0, 2).filter((path) => typeof path === 'string' && path.startsWith(`${folder}/`));
    if (within.length > 0) {
      count += 1;
      const isDue = name === undefined ? count === Number(at) : within.some((path) => path.includes(name));
      if (isDue) process.kill(process.pid, 'SIGKILL');
    }
    return change.apply(this, given);
  };
}

if (at !== undefined || name !== undefined) {
  for (const change of changes.sync) fs[change] = counted(fs[change]);
  for (const change of changes.promises) fs.promises[change] = counted(fs.promises[change]);
  const { openSync } = fs;
  const { open } = fs.promises;
  // A file is changed only if it is opened for that.
  const writes = (flags) => typeof flags === 'string' && flags !== 'r';
  fs.openSync = (path, flags, ...more) => (writes(flags) ? counted(openSync) : openSync)(path, flags, ...more);
  fs.promises.open = (path, flags, ...more) => (writes(flags) ? counted(open) : open)(path, flags, ...more);
  syncBuiltinESMExports();
}
