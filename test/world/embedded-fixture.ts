import { loadPty } from '#world/pty/module.ts';
import { openEmbeddedTerminals } from '#world/pty/terminals.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import { environment, TerminalFixture } from './terminal-fixture.ts';

/** A separate folder for one test, with terminals within this process; `close` ends them all. */
export class EmbeddedFixture extends TerminalFixture {
  readonly adds = ['TERM', 'MUSTER_PANE'];
  readonly #made: Terminals[] = [];

  async terminals(): Promise<Terminals> {
    const pty = loadPty();
    if (pty === undefined) throw new Error('node-pty is not built');
    const log = (message: string) => this.log.push(message);
    const noAttaching = 'nobody attaches here';
    const terminals = await openEmbeddedTerminals({ pty, runDir: this.runDir, environment, noAttaching, log });
    this.#made.push(terminals);
    return terminals;
  }

  /** Ends the panes of this process, and those left by other processes of the test. */
  override async close(): Promise<void> {
    await this.terminals();
    for (const terminals of this.#made) await terminals.detach();
    await super.close();
  }
}

/** Skips a suite, with the reason, if npm could not build node-pty, which is optional. */
export function skipWithoutPty(this: Mocha.Context): void {
  if (loadPty() === undefined) {
    console.error('left out: node-pty is not built here');
    this.skip();
  }
}
