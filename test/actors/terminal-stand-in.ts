import type { Pane, Terminal, Terminals } from '#world/terminal/terminal.ts';

/**
 * Terminals of a test: each runs until it is ended, has one living pane for each agent of the family, or does not
 * answer.
 */
export class TerminalsStandIn implements Terminals {
  readonly endReason = 'the terminal ended';
  /** Families whose terminal runs. */
  readonly alive = new Set<string>();
  /** Families whose terminal does not answer. */
  readonly silent = new Set<string>();
  /** Families whose panes have died. */
  readonly dead = new Set<string>();
  /** Families whose terminal is another installation's. */
  readonly foreign = new Set<string>();
  /** How many terminals were started because one was asked for that did not run. */
  started = 0;

  async of(family: string): Promise<Terminal> {
    if (this.silent.has(family)) await new Promise(() => {});
    if (!this.alive.has(family)) this.started += 1;
    this.alive.add(family);
    return this.#terminal(family);
  }

  async find(family: string): Promise<Terminal | undefined> {
    return this.alive.has(family) ? this.of(family) : undefined;
  }

  async runs(family: string): Promise<boolean> {
    return this.alive.has(family);
  }

  async running(): Promise<string[]> {
    return [...this.alive];
  }

  async ask(family: string): Promise<Pane[] | undefined> {
    return (await this.find(family))?.panes();
  }

  async own(families: readonly string[]): Promise<string[]> {
    return families.filter((family) => this.alive.has(family) && !this.foreign.has(family));
  }

  commands(family: string): { attach: string; end: string } {
    return { attach: `attach ${family}`, end: `end ${family}` };
  }

  async windowOf(): Promise<string> {
    return '@1';
  }

  async end(family: string): Promise<void> {
    this.alive.delete(family);
  }

  async release(): Promise<void> {}

  async detach(): Promise<void> {}

  #terminal(family: string): Terminal {
    const pane = (): Pane => ({
      agentId: family,
      paneId: '%1',
      pid: 1,
      dead: this.dead.has(family),
      exitStatus: this.dead.has(family) ? 0 : undefined,
    });
    return {
      open: async () => pane(),
      panes: async () => (this.silent.has(family) ? new Promise(() => {}) : [pane()]),
      knownPanes: () => undefined,
      capture: async () => undefined,
      frontProgram: async () => undefined,
      awaitsLine: async () => undefined,
      ended: false,
      released: false,
      paste: async () => 'written',
      submit: async () => 'written',
      press: async () => 'written',
      type: async () => 'written',
      stampOf: async () => 'briefing:submitted',
      rename: async () => {},
      close: async () => {},
      onHint: () => () => {},
      detach: async () => {},
    };
  }
}
