import { statSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join } from 'node:path';
import { runGroup } from './process-group.ts';

/** Where shells keep what sets a PATH: of one person below their home folder, and of all. */
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

/** What distinguishes the files that set the PATH of a person's shells now from what they were before. */
export function shellFilesMark(home: string): string {
  const files = [...personal.map((name) => join(home, name)), ...common];
  return files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ');
}

/**
 * The folders of the PATH that a new terminal of this person would have; empty if their shell is an unknown one or does
 * not say. It is asked as terminals start it, interactive and for a login: which of its files sets the PATH is the
 * person's choice.
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
