import { spawnSync } from 'node:child_process';

/**
 * Which part of many cases a run of the suite takes (`someOf`), so that runs of different commits take different ones:
 * the number that the environment names, or one of the commit, or 0 where there is none.
 */
export function turnOf(given: string | undefined, repository: string): number {
  if (given !== undefined) return Number.parseInt(given, 10) || 0;
  const { stdout } = spawnSync('git', ['rev-parse', '--short=6', 'HEAD'], { cwd: repository, encoding: 'utf8' });
  return Number.parseInt(stdout ?? '', 16) || 0;
}
