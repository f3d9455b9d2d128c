import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { Failure } from '#contract/failure.ts';
import type { WindowSpec } from '../terminal.ts';
import { choice, quote, sequence } from './control-line.ts';
import { agentOption, listPanes } from './pane-table.ts';
import { paneSize, session } from './server.ts';
import { windowName } from './window-name.ts';

const last = `-t ${quote(`${session}:{end}`)}`;

/** tmux can lose what a program writes just before it ends, so the one line that tells a person why is given time. */
const launcher = `if cd -- "$0" && unset OLDPWD && command -v -- "$1" > /dev/null; then exec "$@"; fi
echo "$1 cannot be run in $0"; sleep 0.2; exit 127`;

/** Checks what tmux would let pass in silence. @throws Failure `invalid_argument`, `failed_precondition` */
export async function checkSpec(spec: WindowSpec): Promise<void> {
  const bad = (what: string) => new Failure('invalid_argument', `a window cannot be opened: ${what}`);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(spec.agentId)) throw bad(`"${spec.agentId}" is no agent's id`);
  if ((spec.argv[0] ?? '') === '') throw bad('there is no program to run; give one');
  const name = Object.keys(spec.env).find((candidate) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(candidate));
  if (name !== undefined) throw bad(`"${name}" is no name of a variable`);
  const holdsNul = [spec.cwd, ...spec.argv, ...Object.values(spec.env)].some((text) => text.includes('\0'));
  if (holdsNul) throw bad('its directory, arguments or variables hold a NUL character');
  if (!isAbsolute(spec.cwd)) throw bad(`${spec.cwd} is not an absolute directory`);
  const found = await stat(spec.cwd).catch(() => undefined);
  if (found?.isDirectory() !== true)
    throw new Failure('failed_precondition', `the directory ${spec.cwd} does not exist; make it, or give another`);
}

/**
 * The lines that open an agent's window where none carries its id yet, and list all panes. Looking and opening are one
 * step of the server, and so are birth and tag: whenever the caller dies, there is one window that carries the id, or none.
 * A shell enters the directory, and becomes the program: tmux itself would read formats in a directory, and use another
 * one in silence where it is gone.
 */
export function launchLines(spec: WindowSpec): string[] {
  const exists = `#{S:#{W:#{P:#{?#{==:#{${agentOption}},${spec.agentId}},1,}}}}`;
  const variables = Object.entries(spec.env).map(([name, value]) => `-e ${quote(`${name}=${value}`)}`);
  const command = ['/bin/sh', '-c', launcher, spec.cwd, ...spec.argv].map(quote).join(' ');
  const name = quote(windowName(spec.name, spec.agentId));
  const open = sequence(
    `new-window -d -a ${last} -n ${name} ${variables.join(' ')} -- ${command}`,
    `set-option -p ${last} ${agentOption} ${spec.agentId}`,
    `resize-window ${last} -x ${paneSize.columns} -y ${paneSize.rows}`,
  );
  return [choice(exists, undefined, 'display-message -p muster-adopted', open), listPanes];
}
