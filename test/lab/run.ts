// `npm run test:lab`: tests with the real CLIs; `-- --steps` leads them through every state, and `-- --covers` opens
// whatever covers their composers.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runSteps } from './steps/run.ts';
import { runCovers } from './steps/run-covers.ts';

const words = process.argv.slice(2);
if (words.includes('--steps')) process.exitCode = (await runSteps(words)) === 0 ? 0 : 1;
else if (words.includes('--covers')) process.exitCode = (await runCovers(words)) === 0 ? 0 : 1;
else {
  const repository = fileURLToPath(new URL('../..', import.meta.url));
  const files = globSync('test/lab/*.test.ts', { cwd: repository });
  const run = spawnSync(process.execPath, ['test/run.ts', ...files, ...words], { cwd: repository, stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
}
