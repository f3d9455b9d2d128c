import { runByShell } from './run-by-shell.ts';

/** Who commits in the tests. */
const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];

/**
 * Runs git in a folder and returns what it printed, without space around it.
 * @throws Error if it fails
 */
export function gitIn(folder: string, ...args: readonly string[]): string {
  const { PATH = '', HOME = '/nonexistent' } = process.env;
  return runByShell('git', [...identity, ...args], { cwd: folder, env: { PATH, HOME } })
    .toString()
    .trim();
}
