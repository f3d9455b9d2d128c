import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runByShell } from '#test/support/run-by-shell.ts';

/** Repositories that are copied, by their files, in a folder that is removed with the process. */
const templates = new Map<string, string>();
let templateFolder: string | undefined;

function keepTemplate(key: string, repository: string): void {
  if (templateFolder === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'muster-test-templates-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    templateFolder = folder;
  }
  const kept = join(templateFolder, String(templates.size));
  cpSync(repository, kept, { recursive: true, preserveTimestamps: true });
  templates.set(key, kept);
}

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
    return runByShell('git', args, { cwd: join(this.root, dir), env })
      .toString()
      .trim();
  }

  /** A repository with one commit that holds the given files: a copy of the first such one of this process. */
  repository(name: string, files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' }): string {
    const key = JSON.stringify(files);
    const made = templates.get(key);
    if (made !== undefined) {
      cpSync(made, this.path(name), { recursive: true, preserveTimestamps: true });
      // The index holds where the files of the other one are.
      this.git(name, 'update-index', '-q', '--refresh');
      return this.path(name);
    }
    mkdirSync(this.path(name), { recursive: true });
    this.git(name, 'init', '-q');
    for (const [path, content] of Object.entries(files)) this.write(join(name, path), content);
    this.commit(name, 'first');
    keepTemplate(key, this.path(name));
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
    const fetched = '+refs/heads/*:refs/remotes/origin/*';
    const remote = `[remote "origin"]\n\turl = ${this.path(`${name}.git`)}\n\tfetch = ${fetched}\n`;
    appendFileSync(this.path(name, '.git/config'), remote);
    const [heads, remotes] = ['heads', 'remotes/origin'].map((refs) => this.path(name, '.git/refs', refs));
    cpSync(heads ?? '', remotes ?? '', { recursive: true });
    this.write(join(name, '.git/refs/remotes/origin/HEAD'), 'ref: refs/remotes/origin/main\n');
  }

  dispose(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
