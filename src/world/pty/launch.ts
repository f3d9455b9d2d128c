import { findProgram } from '#world/program/find-program.mjs';
import type { WindowSpec } from '#world/terminal/terminal.ts';
import { commandLine } from '#world/terminal/window-spec.ts';

/**
 * Closes inherited files, and becomes the program. On Linux, node-pty leaves the terminal sides of earlier panes open
 * in every process that is started later: these would keep a pane open, and it would not end with muster's process.
 */
const closer = `for file in /proc/self/fd/*; do
  [ "\${file##*/}" -gt 2 ] && eval "exec \${file##*/}>&-"
done
exec "$@"`;

/**
 * The command line of a pane. Closing descriptors above 9 takes bash; without bash, and on systems where nothing is
 * left open, the program is started directly.
 */
export function paneCommand(spec: WindowSpec, path: string): string[] {
  const line = commandLine(spec);
  const bash = process.platform === 'linux' ? findProgram('bash', path) : undefined;
  return bash === undefined ? line : [bash, '-p', '-c', closer, 'pane', ...line];
}
