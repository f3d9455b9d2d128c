import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckoutFolder } from '#world/git/repository/git-directory.ts';
import { findGitDirectory } from '#world/git/repository/git-directory.ts';
import { cutRound } from '#world/git/review/round.ts';
import { type Holders, type RoundStatus, reviewStatuses } from '#world/git/review/standing.ts';
import type { GitFixture } from '../git-fixture.ts';

/** Thirty lines, so that edits may be far from each other. */
export const lines: readonly string[] = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`);

/** The file with other texts on some lines, which count from one. */
export function withLines(changes: Readonly<Record<number, string>>): string {
  return lines.map((line, index) => changes[index + 1] ?? line).join('');
}

/** Makes what each scene is a copy of: `base`, on main, and `work`, an agent's clone of it on its own branch. */
export function standingTemplate(fixture: GitFixture): void {
  fixture.repository('template/base', {
    'a.txt': withLines({}),
    'b.txt': 'two\n',
    'old.txt': withLines({}).replaceAll('line', 'other'),
    'c.bin': '\0one',
    '.gitignore': '*.log\n',
  });
  fixture.git('template', 'clone', '-q', 'base', 'work');
  fixture.git('template/work', 'remote', 'set-url', 'origin', '../base');
  fixture.git('template/work', 'checkout', '-q', '-b', 'work');
  fixture.git('template/work', 'branch', '-q', '-D', 'main');
  for (const name of ['base', 'work']) rmSync(fixture.path('template', name, '.git/hooks'), { recursive: true });
}

/** Scenes that others begin as copies of, by what was done in them. */
export type Beginnings = Map<string, Promise<StandingScene>>;

/** An agent's checkout, the base that its work is meant for, and one round. */
export class StandingScene {
  readonly #fixture: GitFixture;
  readonly #name: string;
  readonly #holders: Holders = new Map();
  readonly #beginnings: Beginnings;
  #round: { baseSha: string; snapshotSha: string } | undefined;

  constructor(fixture: GitFixture, name: string, beginnings: Beginnings) {
    this.#fixture = fixture;
    this.#name = name;
    this.#beginnings = beginnings;
    cpSync(fixture.path('template'), fixture.path(name), { recursive: true });
  }

  /** A round of the usual edit, committed. */
  round(): Promise<this> {
    return this.#begin('round', (scene) => scene.edit().commit().cut());
  }

  /** The same, with a fetched base that has changed elsewhere. */
  apart(): Promise<this> {
    return this.#begin('apart', async (scene) => (await scene.round()).baseCommit({ 'b.txt': 'elsewhere\n' }).fetch());
  }

  /** The same, with a fetched base that has changed elsewhere and then contains the round. */
  held(): Promise<this> {
    return this.#begin('held', async (scene) => (await scene.apart()).squash().fetch());
  }

  /**
   * Replaces the scene by the result of these steps, which run once in a scene that is copied from then on.
   */
  async #begin(what: string, take: (scene: StandingScene) => Promise<StandingScene>): Promise<this> {
    const known = this.#beginnings.get(what) ?? take(new StandingScene(this.#fixture, what, this.#beginnings));
    this.#beginnings.set(what, known);
    const { name, round } = await known.then((scene) => ({ name: scene.#name, round: scene.#round }));
    rmSync(this.#fixture.path(this.#name), { recursive: true });
    cpSync(this.#fixture.path(name), this.#fixture.path(this.#name), { recursive: true });
    // The copies are other files to git: it looks at each once, as it did at those that they are copies of.
    this.git('update-index', '-q', '--refresh');
    this.#round = round;
    return this;
  }

  write(path: string, content: string | Buffer, mode?: number): void {
    this.#fixture.write(join(this.#name, path), content, mode);
  }

  /** Git in the agent's checkout. */
  git(...args: string[]): string {
    return this.#fixture.git(join(this.#name, 'work'), ...args);
  }

  /** Git in the base's checkout. */
  base(...args: string[]): string {
    return this.#fixture.git(join(this.#name, 'base'), ...args);
  }

  /** The edit of most scenes: a line of a file, and a new file. */
  edit(): this {
    this.write('work/a.txt', withLines({ 3: 'work\n' }));
    this.write('work/new.txt', 'new\n');
    return this;
  }

  commit(message = 'work'): this {
    this.git('add', '-A');
    this.git('commit', '-q', '-m', message);
    return this;
  }

  baseCommit(files: Readonly<Record<string, string>>): this {
    for (const [path, content] of Object.entries(files)) this.write(`base/${path}`, content);
    this.base('add', '-A');
    this.base('commit', '-q', '-m', 'base');
    return this;
  }

  /** Cuts the round of the scene. */
  async cut(): Promise<this> {
    this.#round = await cutRound(await this.#at(), {
      ref: 'refs/muster/rounds/agt_1/1',
      settled: false,
      defaultBase: 'main',
    });
    return this;
  }

  /** Brings the agent's branch to the base by git's arguments, with the branch as FETCH_HEAD. */
  land(...args: string[]): this {
    this.base('fetch', '-q', '../work', 'work');
    this.base(...args);
    return this;
  }

  squash(): this {
    this.land('merge', '-q', '--squash', 'FETCH_HEAD');
    this.base('commit', '-q', '-m', 'squash');
    return this;
  }

  /** The agent's repository learns of the base. */
  fetch(): this {
    this.git('fetch', '-q', 'origin', '+main:refs/remotes/origin/main');
    return this;
  }

  async standing(): Promise<RoundStatus['standing']> {
    if (this.#round === undefined) throw new Error('cut a round first');
    const question = { defaultBase: 'main', rounds: [this.#round] };
    const { standings, treeSha } = await reviewStatuses(await this.#at(), question, this.#holders);
    const [found] = standings;
    const isSame = this.git('rev-parse', `${this.#round.snapshotSha}^{tree}`) === treeSha;
    if (found === undefined || found.moved === isSame) throw new Error('movedSinceRound contradicts the trees');
    return found.standing;
  }

  async #at(): Promise<CheckoutFolder> {
    const at = await findGitDirectory(this.#fixture.path(this.#name, 'work'));
    if (at?.workTree === undefined) throw new Error('there is no checkout');
    return { ...at, workTree: at.workTree };
  }
}
