import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { endTerminals } from '#test/support/pieces.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { say } from './report.ts';
import { type Mixture, seed } from './seed.ts';

/** How many agents are not archived, as in a typical fleet. */
const unarchived = 64;

/** The state folders of one run of benches, in a temporary folder. */
export class Homes {
  readonly #folder = temporaryFolder('bench');
  readonly #stored = new Map<string, Promise<string>>();
  #made = 0;

  /** The path of a state folder that does not exist yet. */
  empty(): string {
    this.#made += 1;
    return join(this.#folder.path, `home-${this.#made}`);
  }

  /** Creates an empty folder. */
  folder(): string {
    const path = this.empty();
    mkdirSync(path);
    return path;
  }

  /** A new state folder with `count` agents: 64 dormant ones, the others archived. */
  withAgents(count: number): Promise<string> {
    return this.with({ dormant: Math.min(count, unarchived), archived: Math.max(0, count - unarchived) });
  }

  /** A new state folder with stored agents. Each mixture is written once, and then copied. */
  async with(mixture: Mixture): Promise<string> {
    const name = ['stored', ...Object.entries(mixture).flat()].join('-');
    const stored = this.#stored.get(name) ?? this.#store(join(this.#folder.path, name), mixture);
    this.#stored.set(name, stored);
    const home = this.empty();
    cpSync(await stored, home, { recursive: true });
    return home;
  }

  /** Removes all folders, and ends the terminals in them. */
  async remove(): Promise<void> {
    for (let home = 1; home <= this.#made; home += 1) {
      await endTerminals(join(this.#folder.path, `home-${home}`, 'run'));
    }
    this.#folder.remove();
  }

  async #store(home: string, mixture: Mixture): Promise<string> {
    say(
      `storing ${Object.entries(mixture)
        .map(([state, count]) => `${count} ${state}`)
        .join(' and ')} agents`,
    );
    await seed(home, mixture);
    return home;
  }
}
