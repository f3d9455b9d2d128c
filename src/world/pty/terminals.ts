import { resolve } from 'node:path';
import { Failure } from '#contract/failure.ts';
import { checkFamilyName } from '#world/terminal/family-name.ts';
import type { Pane, Terminal, TerminalLog, Terminals } from '#world/terminal/terminal.ts';
import { EmbeddedTerminal, type FamilySpec } from './family-terminal.ts';
import type { PtyModule } from './module.ts';
import { endStrays, thisHolder } from './pane-mark.ts';

/** The settings of the machine's embedded terminals. */
export interface EmbeddedOptions {
  readonly pty: PtyModule;
  /** The installation's own folder: panes are marked with it, so that leftovers can be recognised. */
  readonly runDir: string;
  /**
   * The whole environment of every pane, without the variables that its window adds. Nothing of this process's own
   * environment is passed on.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** Why no tmux attaches to these panes, and what to do instead. */
  readonly noAttaching: string;
  readonly log?: TerminalLog;
}

class EmbeddedTerminals implements Terminals {
  readonly endReason = 'muster ended, and the embedded panes with it';
  readonly #spec: FamilySpec;
  readonly #noAttaching: string;
  readonly #terminals = new Map<string, EmbeddedTerminal>();

  constructor(spec: FamilySpec, noAttaching: string) {
    this.#spec = spec;
    this.#noAttaching = noAttaching;
  }

  async of(family: string): Promise<Terminal> {
    checkFamilyName(family);
    const known = this.#find(family);
    if (known !== undefined) return known;
    const terminal = new EmbeddedTerminal(this.#spec);
    this.#terminals.set(family, terminal);
    return terminal;
  }

  async find(family: string): Promise<Terminal | undefined> {
    return this.#find(family);
  }

  async runs(family: string): Promise<boolean> {
    return this.#find(family) !== undefined;
  }

  async running(): Promise<string[]> {
    return [...this.#terminals.keys()].filter((family) => this.#find(family) !== undefined);
  }

  async ask(family: string): Promise<Pane[] | undefined> {
    return this.#find(family)?.panes();
  }

  async own(families: readonly string[]): Promise<string[]> {
    return families.filter((family) => this.#find(family) !== undefined);
  }

  commands(): { attach: string; end: string } {
    return { attach: 'nothing', end: 'a restart of the host' };
  }

  async windowOf(): Promise<string> {
    throw new Failure('ATTACH_NOT_POSSIBLE', this.#noAttaching);
  }

  async end(family: string): Promise<void> {
    const terminal = this.#find(family);
    this.#terminals.delete(family);
    await terminal?.detach();
  }

  /** Keeps a terminal with running panes, because they exist only in this process. */
  async release(family: string): Promise<void> {
    if (this.#find(family) === undefined) this.#terminals.delete(family);
  }

  async detach(): Promise<void> {
    await Promise.all([...this.#terminals.keys()].map((family) => this.end(family)));
  }

  #find(family: string): EmbeddedTerminal | undefined {
    const terminal = this.#terminals.get(family);
    return terminal?.released === false ? terminal : undefined;
  }
}

/**
 * The machine's terminals within this process, for use without tmux: they end with it, and no tmux attaches to them.
 * Programs that outlived an earlier process of the same installation are ended first.
 */
export async function openEmbeddedTerminals(options: EmbeddedOptions): Promise<Terminals> {
  const { pty, environment, noAttaching, log = () => undefined } = options;
  const runDir = resolve(options.runDir);
  await endStrays(runDir);
  return new EmbeddedTerminals({ pty, environment, mark: { holder: await thisHolder(), runDir }, log }, noAttaching);
}
