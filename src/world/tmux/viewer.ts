import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Failure } from '#contract/failure.ts';
import type { ViewedWindow, Viewer } from '#contract/pane/viewer.ts';
import { printable } from '#contract/printable.ts';
import { findProcess } from '#world/process/process-tree.ts';
import { ownTmux } from './attach.ts';
import { makeSocketFolder } from './socket-folder.ts';
import { commandWords } from './words.ts';

const session = 'muster';
const options: readonly (readonly [name: string, value: string])[] = [
  ['mouse', 'on'],
  ['allow-rename', 'off'],
  ['automatic-rename', 'off'],
  ['status-left', 'muster '],
  ['status-right', ''],
];
/** The name of a viewer's socket, with the id of its process; no family has such a name. */
const socketName = /^viewer-([0-9]+)-[0-9a-f]+(?:\.lock)?$/;

/**
 * Makes a tmux session for the person with one window for each agent. It has its own server, so it neither sees nor
 * changes a tmux that runs already; the server's socket is in the folder of the agents' sockets.
 * @throws FAILED_PRECONDITION when there is no tmux or no place for a socket, UNAVAILABLE with what tmux said
 */
export async function openViewer(
  runDir: string,
  windows: readonly ViewedWindow[],
  env: NodeJS.ProcessEnv,
): Promise<Viewer> {
  const program = ownTmux();
  const folder = await makeSocketFolder(runDir);
  await sweep(folder);
  const socket = join(folder, `viewer-${process.pid}-${randomBytes(4).toString('hex')}`);
  const tmux = ['-u', '-S', socket, '-f', '/dev/null'];
  const run = (...commands: readonly (readonly string[])[]) =>
    runTmux(program, [...tmux, ...commandWords(commands)], env);
  const close = async (): Promise<void> => {
    await run(['kill-server']).catch(() => {});
    for (const file of [socket, `${socket}.lock`]) await rm(file, { force: true });
  };
  try {
    for (const [index, { name, command }] of windows.entries()) {
      const open = index === 0 ? ['new-session', '-d', '-s', session] : ['new-window', '-d', '-t', `${session}:`];
      await run([...open, '-n', windowName(name), '--', ...command]);
      if (index === 0) await run(...options.map((option) => ['set-option', '-g', ...option]));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const view = commandWords([['attach-session'], ['set-option', 'destroy-unattached', 'on']]);
  return { command: [program, ...tmux, ...view], close };
}

/** Removes the sockets of viewers that were killed. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = socketName.exec(name) ?? [];
    if (pid !== undefined && (await findProcess(Number(pid))) === undefined)
      await rm(join(folder, name), { force: true });
  }
}

/** A safe window name: tmux expands formats in a name, and some of them run programs. */
function windowName(name: string): string {
  return printable(name).replaceAll('#', '##');
}

async function runTmux(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await promisify(execFile)(program, args, { env });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Failure('TMUX_UNAVAILABLE', `tmux could not open the viewer: ${said}`, { cause: error });
  }
}
