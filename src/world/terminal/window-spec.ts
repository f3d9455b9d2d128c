import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { Failure } from '#contract/failure.ts';
import type { WindowSpec } from './terminal.ts';

/**
 * The shell drops its prompt from the environment if it is not interactive, so the prompt is passed under another name.
 */
const [prompt, hiddenPrompt] = ['PS1', 'MUSTER_PS1'];

/** The variable that names the pipe from which the shell of a window reads secrets before it becomes the program. */
export const handoverVariable = 'MUSTER_HANDOVER';

/**
 * Reads the secrets. Without the last line, the process that handed them over has ended: then no program is started.
 */
const reader = `if [ -n "\${${handoverVariable}+x}" ]; then
  handed=$(/bin/cat <"$${handoverVariable}"); /bin/rm -f -- "$${handoverVariable}"; unset ${handoverVariable}
  case "$handed" in *'
:') eval "$handed"; unset handed ;; *) echo "its secrets were not passed on"; sleep 0.2; exit 127 ;; esac
fi`;

/** What a program writes right before it ends can be lost, so the line with the reason is given some time. */
const launcher = `${reader}
[ -z "\${${hiddenPrompt}+x}" ] || { ${prompt}=$${hiddenPrompt}; export ${prompt}; unset ${hiddenPrompt}; }
if cd -- "$0" && unset OLDPWD && command -v -- "$1" > /dev/null; then exec "$@"; fi
echo "$1 cannot be run in $0"; sleep 0.2; exit 127`;

/**
 * Checks what a terminal would silently accept.
 * @throws INVALID_ARGUMENT when a value is invalid, FAILED_PRECONDITION when the directory does not exist
 */
export async function checkSpec(spec: WindowSpec): Promise<void> {
  const bad = (what: string) => new Failure('INVALID_VALUE', `a window cannot be opened: ${what}`);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(spec.agentId)) throw bad(`"${spec.agentId}" is not an agent's id`);
  if ((spec.argv[0] ?? '') === '') throw bad('there is no program to run; give one');
  const name = Object.keys(spec.env).find((candidate) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(candidate));
  if (name !== undefined) throw bad(`"${name}" is not a name of a variable`);
  const holdsNul = [spec.cwd, ...spec.argv, ...Object.values(spec.env)].some((text) => text.includes('\0'));
  if (holdsNul) throw bad('its directory, arguments or variables hold a NUL character');
  if (!isAbsolute(spec.cwd)) throw bad(`${spec.cwd} is not an absolute directory`);
  const found = await stat(spec.cwd).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new Failure('DIRECTORY_MISSING', `the directory ${spec.cwd} does not exist; make it, or give another`);
}

/** The variables that a window's command line is started with, for its program to find those of the window. */
export function startVariables({ env }: WindowSpec): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name === prompt ? hiddenPrompt : name, value]));
}

/**
 * The command line of a window: a shell that enters the directory and becomes the program, or shows in the pane why it
 * cannot. Terminals themselves would silently use another directory if this one is gone.
 */
export function commandLine({ cwd, argv }: WindowSpec): string[] {
  return ['/bin/sh', '-c', launcher, cwd, ...argv];
}
