import { spawnSync } from 'node:child_process';

const dayMs = 86_400_000;

/**
 * Which part of many cases a run of the suite takes (`someOf`), so that the commits of different days take different
 * ones, and those of a day the same: the number that the environment names, or the day of the commit since 1970, or 0
 * where there is none.
 */
export function turnOf(given: string | undefined, repository: string): number {
  if (given !== undefined) return Math.abs(Number.parseInt(given, 10)) || 0;
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: repository, encoding: 'utf8' });
  return Math.floor((Number.parseInt(stdout ?? '', 10) * 1_000) / dayMs) || 0;
}
