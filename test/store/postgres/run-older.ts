// `npm run test:postgres [14 15 …]`: runs the tests of the store and the registry on older versions of PostgreSQL.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runsOnPostgres } from '#test/on-postgres.ts';
import { selectTests } from '#test/selection.ts';
import { installedPostgres, olderPostgres } from '#test/support/postgres/postgres-version.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const isMajor = (word: string): boolean => /^\d+$/.test(word);
const words = process.argv.slice(2);
const majors = words.some(isMajor) ? words.filter(isMajor) : Object.keys(olderPostgres);
const chosen = words.filter((word) => !isMajor(word));
const tests = selectTests(chosen.length > 0 ? chosen : ['test/store', 'test/registry'], repository).filter(
  (file) => file.startsWith('test/store/postgres/') || runsOnPostgres(file),
);

for (const major of majors) {
  await installedPostgres(major);
  process.stdout.write(`\nPostgreSQL ${olderPostgres[major]}\n`);
  const env = { ...process.env, MUSTER_TEST_DATABASE: 'postgres', MUSTER_TEST_POSTGRES: major };
  const { status } = spawnSync(process.execPath, ['test/run.ts', ...tests], { cwd: repository, env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
