import { AsyncLocalStorage } from 'node:async_hooks';
import { CommandShell } from './command-shell.ts';

/** How many shells wait for a command, at most. */
const maxIdle = 4;
/** How long a shell waits for a command before it is ended, in milliseconds. */
const idleMs = 10_000;

/** Those that wait, each with the timer that ends it. The one that waits for the shortest time is last. */
const waiting = new Map<CommandShell, NodeJS.Timeout>();
/** A shell outlives the work that needed it first, and must keep nothing of it. */
const outside = AsyncLocalStorage.snapshot();

/** A shell that runs nothing, from those that wait or a new one. */
export function takeShell(): CommandShell {
  for (const [shell, timer] of [...waiting].reverse()) {
    clearTimeout(timer);
    waiting.delete(shell);
    if (shell.isFree) return shell;
  }
  return outside(() => new CommandShell());
}

/** Keeps a shell for the next command for a while, if it can run another one. */
export function returnShell(shell: CommandShell): void {
  if (!shell.isFree) return;
  if (waiting.size >= maxIdle) {
    shell.end();
    return;
  }
  const end = (): void => {
    waiting.delete(shell);
    shell.end();
  };
  waiting.set(shell, outside(() => setTimeout(end, idleMs)).unref());
}
