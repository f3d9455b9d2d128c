import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Creates a small git repository to work in, because most CLIs expect one. */
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
    // Without git it is just a folder.
  }
  return folder;
}
