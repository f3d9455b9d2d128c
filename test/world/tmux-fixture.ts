import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import type { Terminals } from '#world/terminal/terminal.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import { environment, TerminalFixture } from './terminal-fixture.ts';

/** A separate folder for one test, with terminals on real tmux servers in it; `close` ends them all. */
export class TmuxFixture extends TerminalFixture {
  readonly adds = ['TERM', 'COLORTERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'TMUX', 'TMUX_PANE', 'SHELL'];
  readonly #made: Terminals[] = [];

  terminals(given: Readonly<Record<string, string>> = environment): Terminals {
    const log = (message: string) => this.log.push(message);
    const terminals = createTmuxTerminals({ runDir: this.runDir, environment: given, log });
    this.#made.push(terminals);
    return terminals;
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

  override async close(): Promise<void> {
    for (const terminals of this.#made) await terminals.detach();
    const last = createTmuxTerminals({ runDir: this.runDir, environment });
    for (const family of await last.running()) await last.end(family);
    await last.detach();
    const left = existsSync(this.runDir) ? readdirSync(this.runDir).filter((name) => name.endsWith('.sock')) : [];
    await super.close();
    if ((await last.running()).length > 0) throw new Error(`servers are left: ${left.join(', ')}`);
  }
}
