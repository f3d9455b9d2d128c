import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endTerminals } from '#test/support/pieces.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { say } from './report.ts';
import { type Mixture, seed } from './seed.ts';

/** How many agents people keep in sight; all others rest in the archive. */
const inSight = 64;

/** The state folders of one run of benches, in a temporary folder. */
export class Homes {
  readonly #folder = temporaryFolder('bench');
  readonly #stored = new Map<string, Promise<string>>();
  #made = 0;

  /** The path of a state folder that is not there yet. */
  empty(): string {
    this.#made += 1;
    return join(this.#folder.path, `home-${this.#made}`);
  }

  /** The path of an empty folder. */
  folder(): string {
    const path = this.empty();
    mkdirSync(path);
    return path;
  }

  /** A new state folder in which so many agents are stored: 64 dormant, the rest in the archive. */
  withAgents(count: number): Promise<string> {
    return this.with({ dormant: Math.min(count, inSight), archived: Math.max(0, count - inSight) });
  }

  /** A new state folder in which agents are stored. Each mixture is written once in a run and then copied. */
  async with(mixture: Mixture): Promise<string> {
    const name = ['stored', ...Object.entries(mixture).flat()].join('-');
    const stored = this.#stored.get(name) ?? this.#store(join(this.#folder.path, name), mixture);
    this.#stored.set(name, stored);
    const home = this.empty();
    cpSync(await stored, home, { recursive: true });
    return home;
  }

  /** Removes all of them, and ends the terminals that run in them. */
  async remove(): Promise<void> {
    for (let home = 1; home <= this.#made; home += 1) {
      await endTerminals(join(this.#folder.path, `home-${home}`, 'run'));
    }
    this.#folder.remove();
  }

  async #store(home: string, mixture: Mixture): Promise<string> {
    say(
      `storing ${Object.entries(mixture)
        .map(([rest, count]) => `${count} ${rest}`)
        .join(' and ')} agents`,
    );
    await seed(home, mixture);
    return home;
  }
}
