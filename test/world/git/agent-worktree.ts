import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runByShell } from '#test/support/run-by-shell.ts';
import { type CheckoutFolder, findGitDirectory } from '#world/git/repository/git-directory.ts';
import { addWorktree } from '#world/git/worktree/worktree.ts';
import type { GitFixture } from '../git-fixture.ts';

/** Makes a worktree as muster does for an agent. */
export async function makeWorktree(order: Parameters<typeof addWorktree>[0]): Promise<CheckoutFolder> {
  await addWorktree(order);
  const at = await findGitDirectory(order.path);
  if (at?.workTree === undefined) throw new Error('no worktree was made');
  return { ...at, workTree: at.workTree };
}

/** What git says to an agent that runs it in its worktree. */
export function gitIn(fixture: GitFixture, { workTree }: CheckoutFolder, ...args: string[]): Buffer {
  return runByShell('git', args, { cwd: workTree, env: { PATH: process.env['PATH'] ?? '', HOME: fixture.home } });
}

/** Writes a file of a worktree, and the folders that it is in. */
export function writeIn({ workTree }: CheckoutFolder, path: string, content: string | Buffer = 'work\n'): void {
  mkdirSync(dirname(join(workTree, path)), { recursive: true });
  writeFileSync(join(workTree, path), content);
}
