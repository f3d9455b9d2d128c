import { lstatSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { windowIdPattern } from '#contract/pane/window.ts';
import { findExecutable } from './executable.ts';
import { session } from './server.ts';
import { isOwnSocketFolder, socketFolder, socketOf } from './socket-folder.ts';
import { commandWords } from './words.ts';

/** A window that a person attaches to. Both names are checked, because they may come from anywhere. */
export interface AttachedWindow {
  readonly family: string;
  readonly windowId: string;
}

/**
 * The command line by which a person attaches to a window in a grouped session of their own. It trusts no other user's
 * input: the socket is the one of this state folder, and must belong to the person.
 * @throws INVALID_ARGUMENT when a name is not valid, FAILED_PRECONDITION when there is no such socket or no tmux
 */
export function attachCommand(runDir: string, { family, windowId }: AttachedWindow, readOnly: boolean): string[] {
  const socket = socketOf(socketFolder(runDir), family);
  if (!windowIdPattern.test(windowId))
    throw new Failure('INVALID_VALUE', `${JSON.stringify(windowId)} is not the id of a tmux window, such as @3`);
  checkOwn(socket, runDir);
  const tmux = ownTmux();
  const view = ['new-session', ...(readOnly ? ['-f', 'read-only'] : []), '-t', session];
  const commands = [view, ['set-option', 'destroy-unattached', 'on'], ['select-window', '-t', `:${windowId}`]];
  return ['/usr/bin/env', '-u', 'TMUX', tmux, '-u', '-N', '-S', socket, ...commandWords(commands)];
}

/** The tmux program that takes over a person's terminal. @throws FAILED_PRECONDITION when there is none */
export function ownTmux(): string {
  const tmux = findExecutable('tmux');
  if (tmux !== undefined) return tmux;
  const why = 'there is no tmux on your PATH in a folder that only you and root may change: install it';
  throw new Failure('ATTACH_NOT_POSSIBLE', why);
}

/** Checks the socket: the process behind it decides what the terminal shows, and sees what is typed. */
function checkOwn(socket: string, runDir: string): void {
  const found = lstatSync(socket, { throwIfNoEntry: false });
  if (found === undefined) {
    throw new Failure(
      'ATTACH_NOT_POSSIBLE',
      `there is no tmux socket ${socket}: set MUSTER_HOME as it is for the service (${dirname(runDir)} is what it is here)`,
    );
  }
  if (found.isSocket() && isOwn(found) && isOwnSocketFolder(dirname(socket))) return;
  throw new Failure(
    'ATTACH_NOT_POSSIBLE',
    `${socket} is not attached to: it must be your own socket, in a folder that you own and that only you may write to`,
  );
}

function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}
