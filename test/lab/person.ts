import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { CliSetUp } from './cli/definition.ts';

/** The file that the person's own hook leaves. */
export function ownHookMark(home: string): string {
  return join(home, 'own-hook');
}

/**
 * Puts the CLI into a person's home; answers with the environment that the person starts muster in, made from nothing.
 */
export function setUpPerson(cli: CliSetUp, home: string, program: string, modelUrl: string): Record<string, string> {
  const bin = join(home, 'bin');
  const temporary = join(home, 'tmp');
  for (const folder of [bin, temporary]) mkdirSync(folder, { recursive: true });
  symlinkSync(program, join(bin, cli.harness));
  return {
    HOME: home,
    PATH: [bin, process.env['PATH'] ?? ''].join(':'),
    // Some of them leave things there.
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    USER: 'person',
    TERM: 'xterm-256color',
    // Whatever a CLI wants of the world outside, it asks the stub for, which refuses.
    HTTP_PROXY: modelUrl,
    HTTPS_PROXY: modelUrl,
    NO_PROXY: '127.0.0.1,localhost',
    ...cli.setUp({ home, modelUrl, ownHook: `touch '${ownHookMark(home)}'` }),
  };
}

/** Makes a repository with one commit. */
export function makeRepository(path: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args], { stdio: 'ignore' });
  mkdirSync(path, { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  // Gemini lets its commands see no settings of the person's.
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  git('commit', '--quiet', '--allow-empty', '-m', 'begin');
}
