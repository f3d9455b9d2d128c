import type { RegistryClient } from '#actors/host/agent/registry-journal.ts';
import { withTerminal } from '#actors/host/typing/terminal-mutex.ts';
import { type Check, well } from '#contract/host/check.ts';
import type { Log } from '#contract/process-context.ts';
import type { Terminals } from '#world/terminal/terminal.ts';

/** For how many terminals the report lists commands. */
const maxNamed = 5;

/**
 * Terminals of this installation that belong to no agent on this host. If all agents of a family are deleted, its
 * terminal is a leftover from when this host was down, and is ended. A terminal that the database does not know may
 * still be in use: its agents were launched after a backup that was then restored, or abandoned while this host was
 * lost. A person decides whether to open or end it.
 */
export class FoundTerminals {
  readonly #terminals: Terminals;
  readonly #registry: Pick<RegistryClient, 'families'>;
  readonly #log: Log;
  #families: readonly string[] = [];

  constructor(terminals: Terminals, registry: Pick<RegistryClient, 'families'>, log: Log) {
    this.#terminals = terminals;
    this.#registry = registry;
    this.#log = log;
  }

  /** The families that the database did not know at the last scan. */
  get families(): readonly string[] {
    return this.#families;
  }

  /** Ends terminals of deleted agents, and records unknown ones. Does not touch terminals of other installations. */
  async scan(): Promise<void> {
    const running = await this.#terminals.running();
    if (running.length === 0) {
      this.#families = [];
      return;
    }
    const { left, gone } = await this.#registry.families(running);
    const known = new Set(left);
    const over = new Set(gone);
    const strange = await this.#terminals.own(running.filter((family) => !known.has(family)));
    for (const family of strange.filter((one) => over.has(one))) {
      this.#log.warn({ family }, 'ending a terminal whose agents are all gone');
      await withTerminal(family, () => this.#terminals.end(family));
    }
    const found = strange.filter((family) => !over.has(family));
    for (const family of found.filter((one) => !this.#families.includes(one))) {
      this.#log.warn(
        { family, ...this.#terminals.commands(family) },
        'found a terminal whose agents were abandoned, or that the database does not know',
      );
    }
    this.#families = found;
  }

  /** Scans again, and reports unknown terminals with the commands that open and end them. */
  async check(): Promise<Check> {
    const name = 'terminals';
    await this.scan();
    const found = this.#families;
    if (found.length === 0) return well(name, 'every terminal here belongs to an agent');
    const commands = found.slice(0, maxNamed).map((family) => {
      const { attach, end } = this.#terminals.commands(family);
      return `${attach} opens ${family}, ${end} ends it`;
    });
    const many = found.length === 1 ? '1 terminal runs' : `${found.length} terminals run`;
    return {
      name,
      outcome: 'warn',
      found: `${many} here whose agents were abandoned, or that the database does not know, for example after a restore: ${found.join(', ')}`,
      mend:
        'muster leaves them alone. On this host, ' +
        `${commands.join('; ')}${found.length > maxNamed ? '; and so on' : ''}. To continue that work with muster, launch an agent in the same directory`,
    };
  }
}
