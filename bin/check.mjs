// `npm run check`: runs lint, types and dead code in parallel, in the current folder. Prints how long each took, and the
// whole output of those that fail, and exits with 1 if one failed. tsc, knip and the linter keep their results in
// node_modules/.cache, and re-check only what has changed; a clean checkout has no cache.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { lintPasses } from './lint-passes.mjs';

/** With several checkers, each checks the shared types again, which costs more than it gains on two cores. */
const oneChecker = ['--checkers', '1'];
const cached = (name) => ['--incremental', '--tsBuildInfoFile', join('node_modules', '.cache', `${name}.tsbuildinfo`)];

const lint = lintPasses();
/** The commands by name, the slowest first. */
const checks = {
  ...lint.passes,
  types: ['tsc', '--noEmit', ...oneChecker, ...cached('types')],
  'types of the page': ['tsc', '--noEmit', '-p', join('src', 'page'), ...oneChecker, ...cached('page-types')],
  'dead code': ['knip', '--cache', '--cache-location', join('node_modules', '.cache', 'knip')],
};

const results = new Map(await Promise.all(Object.entries(checks).map(async (entry) => [entry[0], await run(entry)])));
if (Object.keys(lint.passes).every((name) => results.get(name))) lint.keep();
process.exitCode = [...results.values()].every(Boolean) ? 0 : 1;

/** Runs one check and prints the result. Returns whether it passed. */
function run([name, [program, ...args]]) {
  const started = performance.now();
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) };
  const child = spawn(join('node_modules', '.bin', program), args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((resolve) => {
    const end = (how) => {
      const isWell = how === 0;
      const seconds = ((performance.now() - started) / 1000).toFixed(1).padStart(6);
      const details = isWell ? '' : `${[program, ...args].join(' ')} (${how}):\n${output}\n`;
      process.stdout.write(`${isWell ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}\n${details}`);
      resolve(isWell);
    };
    child.once('error', ({ message }) => end(message));
    child.once('close', (status, signal) => end(signal ?? status));
  });
}
