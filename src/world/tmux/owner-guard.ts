/** Runs its arguments beside itself and ends them within a second once the process that started it is gone. */
const watch = `owner=$PPID; exec 3<&0; "$@" <&3 3<&- & child=$!; exec 3<&- </dev/null
while kill -0 "$owner" 2>/dev/null && kill -0 "$child" 2>/dev/null; do sleep 1; done; kill "$child" 2>/dev/null; wait "$child"`;

/**
 * A command line that ends when this process does, even by kill -9. A control client that outlives its reader stops
 * the panes whose output it was to carry. With util-linux's `setpriv` the kernel sees to it; without it, as on macOS, a
 * shell watches, which costs a process and up to a second.
 */
export function tiedToOwner(argv: readonly string[], setpriv: string | undefined): string[] {
  if (setpriv !== undefined) return [setpriv, '--pdeathsig', 'TERM', ...argv];
  return ['/bin/sh', '-c', watch, 'watch', ...argv];
}
