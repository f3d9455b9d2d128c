/** A script that runs its arguments as a child, and ends it within a second once the script's own parent is gone. */
const watch = `owner=$PPID; exec 3<&0; "$@" <&3 3<&- & child=$!; exec 3<&- </dev/null
while kill -0 "$owner" 2>/dev/null && kill -0 "$child" 2>/dev/null; do sleep 1; done; kill "$child" 2>/dev/null; wait "$child"`;

/**
 * A command line that ends when this process does, even by kill -9: a control client that outlives its reader would
 * block the panes whose output it should pass on. With util-linux's `setpriv` the kernel ends it; without, as on macOS,
 * a shell watches, which costs a process and up to a second.
 */
export function tiedToOwner(argv: readonly string[], setpriv: string | undefined): string[] {
  if (setpriv !== undefined) return [setpriv, '--pdeathsig', 'TERM', ...argv];
  return ['/bin/sh', '-c', watch, 'watch', ...argv];
}
