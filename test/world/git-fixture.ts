import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A separate folder for one test, with git as a person would use it: plain, with hooks, filters and a home. */
export class GitFixture {
  readonly root: string = realpathSync(mkdtempSync(join(tmpdir(), 'muster-test-git-')));
  readonly home: string = join(this.root, 'home');

  constructor() {
    mkdirSync(this.home);
    this.write('home/.gitconfig', '[user]\n\tname = Ann\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n');
  }

  path(...segments: string[]): string {
    return join(this.root, ...segments);
  }

  /** Writes a file below the root and makes its folders. */
  write(path: string, content: string | Buffer, mode?: number): string {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
    if (mode !== undefined) chmodSync(full, mode);
    return full;
  }

  /** Runs git in a folder below the root and returns what it wrote, trimmed. */
  git(dir: string, ...args: string[]): string {
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.home, LC_ALL: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', args, {
      cwd: join(this.root, dir),
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  /** A repository with one commit that holds the given files. */
  repository(name: string, files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }): string {
    mkdirSync(this.path(name), { recursive: true });
    this.git(name, 'init', '-q');
    for (const [path, content] of Object.entries(files)) this.write(join(name, path), content);
    this.commit(name, 'first');
    return this.path(name);
  }

  /** Commits everything in a checkout and returns the commit. */
  commit(name: string, message: string): string {
    this.git(name, 'add', '-A');
    this.git(name, 'commit', '-q', '--allow-empty', '-m', message);
    return this.git(name, 'rev-parse', 'HEAD');
  }

  /** Makes `origin` of a repository: a bare one that has its main branch, as a fetch would leave it. */
  publish(name: string): void {
    this.git('.', 'clone', '-q', '--bare', name, `${name}.git`);
    this.git(name, 'remote', 'add', 'origin', this.path(`${name}.git`));
    this.git(name, 'fetch', '-q', 'origin');
    this.git(name, 'remote', 'set-head', 'origin', 'main');
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
