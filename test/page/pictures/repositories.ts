import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a git repository with a few files in one commit, whose remote is at the forge of the pictures. */
export function makeRepository(folder: string, name: string): string {
  const path = join(folder, name);
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args], { stdio: 'ignore' });
  mkdirSync(join(path, 'src'), { recursive: true });
  writeFileSync(join(path, 'README.md'), `# ${name}\n`);
  writeFileSync(join(path, 'src', 'main.js'), linesOf('main', 400));
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', `https://forge.test/acme/${name}.git`);
  git('add', '--all');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message', 'Begin');
  return path;
}

/** Adds and removes lines in several files of a checkout. */
export function changeCheckout(cwd: string, [added, removed, files]: readonly [number, number, number]): void {
  const each = Math.floor(added / files);
  for (let file = 1; file < files; file += 1) writeFileSync(join(cwd, 'src', `part-${file}.js`), linesOf('part', each));
  writeFileSync(
    join(cwd, 'src', 'main.js'),
    linesOf('main', 400 - removed) + linesOf('more', added - each * (files - 1)),
  );
}

function linesOf(name: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `export const ${name}${at} = ${at};\n`).join('');
}
