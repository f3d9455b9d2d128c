import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A small repository to work in, as most CLIs want one. */
export function freshFolder(tmp: string, name: string): string {
  mkdirSync(tmp, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(tmp, `harness-${name}-`));
  writeFileSync(join(folder, 'README.md'), '# A folder to try a CLI in\n');
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  try {
    git('init', '--quiet', '--initial-branch=main');
    git('add', '.');
    git('-c', 'user.name=muster', '-c', 'user.email=muster@localhost', 'commit', '--quiet', '-m', 'begin');
  } catch {
    // It is a folder all the same where there is no git.
  }
  return folder;
}
