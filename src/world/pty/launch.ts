import { findProgram } from '#world/program/find-program.mjs';
import type { WindowSpec } from '#world/terminal/terminal.ts';
import { commandLine } from '#world/terminal/window-spec.ts';

/**
 * Closes what a program has no business with, and becomes it. On Linux node-pty leaves the panes' own sides open in
 * every process that is started after them: a pane would be held by its neighbours, and not end with the process that
 * holds it.
 */
const closer = `for file in /proc/self/fd/*; do
  [ "\${file##*/}" -gt 2 ] && eval "exec \${file##*/}>&-"
done
exec "$@"`;

/**
 * The command line of a pane. It takes bash to close files beyond the ninth; if there is none, and on systems if
 * nothing is left open, the program is started as it is.
 */
export function paneCommand(spec: WindowSpec, path: string): string[] {
  const line = commandLine(spec);
  const bash = process.platform === 'linux' ? findProgram('bash', path) : undefined;
  return bash === undefined ? line : [bash, '-p', '-c', closer, 'pane', ...line];
}
