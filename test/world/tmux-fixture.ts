import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moment } from '#test/support/moment.ts';
import type { Pane, Terminal, TerminalHint, Terminals, WindowSpec } from '#world/terminal.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';

/** Whether a process runs; one that ended and was not collected does not. */
export function runs(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** The environment that panes are given in tests. */
export const environment = { PATH: process.env['PATH'] ?? '', HOME: '/', LANG: 'C.UTF-8' };

/** A folder of its own for one test, with terminals on real tmux servers in it; `close` ends them all. */
export class TmuxFixture {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'mux-')));
  readonly runDir = join(this.root, 'run');
  readonly log: string[] = [];
  readonly #made: Terminals[] = [];

  terminals(): Terminals {
    const log = (message: string) => this.log.push(message);
    const terminals = createTmuxTerminals({ runDir: this.runDir, environment, log });
    this.#made.push(terminals);
    return terminals;
  }

  path(...segments: string[]): string {
    return join(this.root, ...segments);
  }

  folder(name: string): string {
    mkdirSync(this.path(name), { recursive: true });
    return this.path(name);
  }

  write(name: string, text: string): string {
    writeFileSync(this.path(name), text);
    return this.path(name);
  }

  /** The text of a file below the root, or undefined where there is none yet. */
  read(name: string): string | undefined {
    return existsSync(this.path(name)) ? readFileSync(this.path(name), 'utf8') : undefined;
  }

  window(agentId: string, argv: readonly string[], more: Partial<WindowSpec> = {}): WindowSpec {
    return { agentId, name: agentId, cwd: this.root, argv, env: {}, ...more };
  }

  /** A window whose program is a line of shell. */
  shell(agentId: string, line: string, more: Partial<WindowSpec> = {}): WindowSpec {
    return this.window(agentId, ['/bin/sh', '-c', line], more);
  }

  socket(family: string): string {
    return socketOf(socketFolder(this.runDir), family);
  }

  /** Runs tmux as a person would, beside the code under test. */
  tmux(family: string, ...args: string[]): string {
    return execFileSync('tmux', ['-u', '-N', '-S', this.socket(family), ...args], {
      encoding: 'utf8',
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  }

  serverPid(family: string): number {
    return Number(this.tmux(family, 'display-message', '-p', '#{pid}'));
  }

  async close(): Promise<void> {
    for (const terminals of this.#made) await terminals.detach();
    const last = createTmuxTerminals({ runDir: this.runDir, environment });
    for (const family of await last.running()) await last.end(family);
    await last.detach();
    const left = existsSync(this.runDir) ? readdirSync(this.runDir).filter((name) => name.endsWith('.sock')) : [];
    rmSync(this.root, { recursive: true, force: true });
    if ((await last.running()).length > 0) throw new Error(`servers are left: ${left.join(', ')}`);
  }
}

/** Waits until the screen of a pane holds a text, and gives the rows. */
export function screenWith(terminal: Terminal, pane: Pane, text: string): Promise<readonly string[]> {
  return moment(`the screen of ${pane.agentId} shows "${text}"`, async () => {
    const rows = (await terminal.capture(pane.paneId))?.rows ?? [];
    return rows.some((row) => row.includes(text)) ? rows : undefined;
  });
}

/** Collects hints from now on. */
export function hintsOf(terminal: Terminal): TerminalHint[] {
  const hints: TerminalHint[] = [];
  terminal.onHint((hint) => hints.push(hint));
  return hints;
}
