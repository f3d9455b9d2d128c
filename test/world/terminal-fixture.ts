import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { moment } from '#test/support/moment.ts';
import type { Pane, Terminal, TerminalHint, Terminals, WindowSpec } from '#world/terminal/terminal.ts';

/** The environment that panes are given in tests. */
export const environment = { PATH: process.env['PATH'] ?? '', HOME: '/', LANG: 'C.UTF-8' };

/** A separate folder for one test, with terminals of one kind in it; `close` ends them all. */
export abstract class TerminalFixture {
  /** The variables that terminals of this kind add to the environment of a pane. */
  abstract readonly adds: readonly string[];
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'mux-')));
  readonly runDir = join(this.root, 'run');
  readonly log: string[] = [];

  abstract terminals(): Terminals | Promise<Terminals>;

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

  /** The text of a file below the root, or undefined if there is none yet. */
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

  async close(): Promise<void> {
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** How a suite gets the fixture of each of its tests. */
export type MakeFixture = () => TerminalFixture;

/** Whether a process runs; one that ended and was not collected does not. */
export function runs(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** Waits until the screen of a pane holds a text, and gives the rows. */
export function screenWith(terminal: Terminal, pane: Pane, text: string): Promise<readonly string[]> {
  return moment(`the screen of ${pane.agentId} shows "${text}"`, async () => {
    const rows = (await terminal.capture(pane.paneId))?.rows ?? [];
    return rows.some((row) => row.includes(text)) ? rows : undefined;
  });
}

/** Waits until an agent's pane is dead, and gives it. */
export function deadPane(terminal: Terminal, agentId: string): Promise<Pane> {
  return moment(`${agentId} is dead`, async () =>
    (await terminal.panes()).find((pane) => pane.agentId === agentId && pane.dead),
  );
}

/** Collects hints from now on. */
export function hintsOf(terminal: Terminal): TerminalHint[] {
  const hints: TerminalHint[] = [];
  terminal.onHint((hint) => hints.push(hint));
  return hints;
}
