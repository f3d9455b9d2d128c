// `npm run check`: lint, types and dead code, all at once, of the folder that it runs in. It says of each how long it
// took, whole what one finds, and exits with 1 if any found something. tsc keeps what it knows of each file beside the
// packages, and looks again at what has changed since: a clean checkout has none of that, and is looked at whole.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Several checkers would each look at the types that all share, which costs two processors more than it gains. */
const oneChecker = ['--checkers', '1'];
const kept = (name) => ['--incremental', '--tsBuildInfoFile', join('node_modules', '.cache', `${name}.tsbuildinfo`)];

/** What is run, by what it is called; the longest first. */
const checks = {
  types: ['tsc', '--noEmit', ...oneChecker, ...kept('types')],
  lint: ['biome', 'ci', '--error-on-warnings'],
  'types of the page': ['tsc', '--noEmit', '-p', join('src', 'page'), ...oneChecker, ...kept('page-types')],
  'dead code': ['knip', '--cache', '--cache-location', join('node_modules', '.cache', 'knip')],
};

const results = await Promise.all(Object.entries(checks).map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;

/** Runs one check and prints the result; whether it found nothing. */
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
      const told = isWell ? '' : `${[program, ...args].join(' ')} (${how}):\n${output}\n`;
      process.stdout.write(`${isWell ? 'ok    ' : 'FAILED'} ${seconds} s  ${name}\n${told}`);
      resolve(isWell);
    };
    child.once('error', ({ message }) => end(message));
    child.once('close', (status, signal) => end(signal ?? status));
  });
}
