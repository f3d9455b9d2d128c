import { statSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { runGroup } from '#world/process/group/process-group.ts';

/** The files in which shells set a PATH: the person's own, below the home folder, and those of the system. */
const personal = [
  '.profile',
  '.bash_profile',
  '.bash_login',
  '.bashrc',
  '.zshenv',
  '.zprofile',
  '.zshrc',
  '.zlogin',
  '.config/fish/config.fish',
  '.config/fish/conf.d',
  '.config/fish/fish_variables',
];
const common = ['/etc/profile', '/etc/profile.d', '/etc/bash.bashrc', '/etc/zsh', '/etc/paths', '/etc/paths.d'];

/** Shells that take `-i -l -c` and write their PATH with colons. */
const shells = /^(?:ba|z|fi|da|k)?sh$/;
/** How long a shell may take to start, in milliseconds. */
const withinMs = 5_000;
const systemPath = '/usr/local/bin:/usr/bin:/bin';
const mark = 'muster-path:';

/** A fingerprint of the files that set the PATH of a person's shells: it changes when they do. */
export function shellFilesMark(home: string): string {
  const files = [...personal.map((name) => join(home, name)), ...common];
  return files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ');
}

/**
 * The folders of the PATH that a new terminal of this person would have; empty if their shell is an unknown one or does
 * not answer. The shell is started as terminals start it, as an interactive login shell, because the PATH may be set in
 * any of its files.
 */
export async function loginFolders({ HOME = '', SHELL = '', ...env }: NodeJS.ProcessEnv): Promise<readonly string[]> {
  if (!isAbsolute(SHELL) || !shells.test(basename(SHELL)) || HOME === '') return [];
  let out = '';
  const { USER = '', LOGNAME = '', LANG = 'C.UTF-8' } = env;
  await runGroup({
    file: SHELL,
    args: ['-i', '-l', '-c', `printf '\\n%s%s\\n' '${mark}' "$PATH"`],
    cwd: HOME,
    env: { HOME, SHELL, USER, LOGNAME, LANG, TERM: 'dumb', PATH: systemPath },
    timeoutMs: withinMs,
    onStdout(chunk) {
      out += chunk.toString();
    },
    onStderr() {},
  });
  const said = out.split('\n').findLast((line) => line.startsWith(mark));
  return said?.slice(mark.length).split(delimiter).filter(isAbsolute) ?? [];
}
