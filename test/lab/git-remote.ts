import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '#test/support/free-port.ts';

/** An empty repository that a Git server offers on a port of 127.0.0.1. */
export class GitRemote {
  readonly port: number;
  readonly #repository: string;
  readonly #server: ChildProcess;

  private constructor(port: number, repository: string, server: ChildProcess) {
    this.port = port;
    this.#repository = repository;
    this.#server = server;
  }

  /** Makes it in a folder, and serves it. */
  static async open(folder: string): Promise<GitRemote> {
    const repository = join(folder, 'remote.git');
    execFileSync('git', ['init', '--quiet', '--bare', repository]);
    const port = await freePort();
    const options = ['--export-all', '--enable=receive-pack', `--base-path=${folder}`];
    const server = spawn('git', ['daemon', `--port=${port}`, '--listen=127.0.0.1', ...options], { stdio: 'ignore' });
    return new GitRemote(port, repository, server);
  }

  get url(): string {
    return `git://127.0.0.1:${this.port}/remote.git`;
  }

  /** The author and the subject of a branch's newest commit; empty if there is no such branch. */
  newestOn(branch: string): string {
    const format = '--format=%(authorname) %(contents:subject)';
    const args = ['--git-dir', this.#repository, 'for-each-ref', format, `refs/heads/${branch}`];
    return execFileSync('git', args, { encoding: 'utf8' }).trim();
  }

  async close(): Promise<void> {
    const ended = once(this.#server, 'exit');
    this.#server.kill();
    await ended;
  }
}
