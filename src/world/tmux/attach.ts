import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { windowIdPattern } from '#contract/window.ts';
import { findExecutable } from './executable.ts';
import { session } from './server.ts';
import { socketFolder, socketOf } from './socket-folder.ts';

/** A window that a person attaches to. Both names are checked: they may have come from anywhere. */
export interface AttachedWindow {
  readonly family: string;
  readonly windowId: string;
}

/**
 * The command line by which a person attaches to a window in a grouped session of their own. Nothing in it is anybody else's
 * word: the socket is the one of this state folder, and has to be the person's own.
 * @throws Failure `invalid_argument` where a name is none, `failed_precondition` where there is no such socket or no tmux
 */
export function attachCommand(runDir: string, { family, windowId }: AttachedWindow, readOnly: boolean): string[] {
  const socket = socketOf(socketFolder(runDir), family);
  if (!windowIdPattern.test(windowId))
    throw new Failure('invalid_argument', `${JSON.stringify(windowId)} is no window of tmux, which are named as in @3`);
  checkOwn(socket, runDir);
  const tmux = findExecutable('tmux');
  if (tmux === undefined) throw new Failure('failed_precondition', 'tmux is not on your PATH: install it');
  const view = ['new-session', ...(readOnly ? ['-f', 'read-only'] : []), '-t', session];
  const start = ['env', '-u', 'TMUX', tmux, '-u', '-N', '-S', socket];
  return [...start, ...view, ';', 'set-option', 'destroy-unattached', 'on', ';', 'select-window', '-t', `:${windowId}`];
}

/** Whoever holds the other end of a socket decides what a terminal shows and is told what is typed. */
function checkOwn(socket: string, runDir: string): void {
  const found = lstatSync(socket, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new Failure(
      'failed_precondition',
      `there is no tmux socket ${socket}: set MUSTER_HOME as it is for the service (${dirname(runDir)} is what it is here)`,
    );
  }
  const folder = lstatSync(dirname(socket));
  const isSafe = found.isSocket() && folder.isDirectory() && isOwn(found) && isOwn(folder) && !isOpen(folder);
  if (isSafe) return;
  throw new Failure(
    'failed_precondition',
    `${socket} is not attached to: it has to be a socket of yours, in a folder of yours that nobody else may write to`,
  );
}

function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

function isOpen({ mode }: Stats): boolean {
  return (mode & 0o022) !== 0;
}
