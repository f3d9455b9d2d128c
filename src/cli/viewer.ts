import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Failure } from '#contract/failure.ts';
import { printable } from '#contract/printable.ts';
import { runInTerminal, shellLine } from './run-in-terminal.ts';

/** A window of the viewer: its name, and the command that opens the agent's own window in it. */
export interface ViewedWindow {
  readonly name: string;
  readonly command: readonly string[];
}

const options = ['mouse on', 'allow-rename off', 'automatic-rename off', 'status-left "muster "', 'status-right ""'];

/**
 * Opens a tmux session of the person's own with one window for each agent, and returns when they leave it. Leaving it
 * closes it; the agents go on. It has a server of its own, so it neither sees nor changes a tmux that runs already.
 */
export async function openViewer(windows: readonly ViewedWindow[], env: NodeJS.ProcessEnv): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-view-'));
  const { TMUX: _outer, ...bareEnv } = env;
  const tmux = ['tmux', '-u', '-S', join(folder, 'tmux.sock'), '-f', '/dev/null'];
  const run = (...args: string[]) => runTmux([...tmux, ...args], bareEnv);
  try {
    for (const [index, { name, command }] of windows.entries()) {
      const open = index === 0 ? ['new-session', '-d', '-s', 'muster'] : ['new-window', '-d', '-t', 'muster:'];
      await run(...open, '-n', windowName(name), `exec ${shellLine(command)}`);
      if (index === 0) await run(...options.flatMap((option) => ['set-option', '-g', ...wordsOf(option), ';']));
    }
    return await runInTerminal([...tmux, 'attach-session', ';', 'set-option', 'destroy-unattached', 'on'], bareEnv);
  } finally {
    await run('kill-server').catch(() => {});
    await rm(folder, { recursive: true, force: true });
  }
}

/** tmux expands formats in a name, and some of them run programs. */
function windowName(name: string): string {
  return printable(name).replaceAll('#', '##');
}

function wordsOf(option: string): string[] {
  const [name = '', ...value] = option.split(' ');
  return [name, value.join(' ').replaceAll('"', '')];
}

async function runTmux([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await promisify(execFile)(program, args, { env });
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Failure('unavailable', `tmux could not open the viewer: ${said}`, { cause: error });
  }
}
