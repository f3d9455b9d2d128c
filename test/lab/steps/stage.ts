import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setUpPerson } from '../person.ts';
import { StubModel } from '../stub-model/stub-model.ts';
import type { PlayedCli } from './played-cli.ts';
import { type Size, Window } from './window.ts';

/** How long a CLI may take to come up, in milliseconds: opencode took more than 40 s on a machine with ten times its load. */
const upMs = 120_000;
/** How long a typed line stands before it is sent, in milliseconds: some CLIs take a quick Enter for a part of a paste. */
const typedMs = 700;
/** How much of the end of a line must show before it is sent, and how long that may take, in milliseconds. */
const [echoed, echoMs] = [8, 8_000];
/** How often a key is pressed that the screen asks for. */
const pressesMost = 6;

/** The size that everything begins in. */
export const usualSize: Size = { width: 120, height: 40 };

/** A real CLI in a window, its person's home without history, and a stub model: what a step is played on. */
export class Stage {
  readonly cli: PlayedCli;
  readonly model: StubModel;
  readonly window: Window;
  /** A git repository with one commit, in which the CLI runs. */
  readonly project: string;
  readonly #program: string;

  private constructor(cli: PlayedCli, program: string, model: StubModel, folder: string) {
    this.cli = cli;
    this.model = model;
    this.#program = program;
    this.project = join(folder, 'project');
    makeProject(this.project);
    this.window = new Window(folder, this.project, this.#person(join(folder, 'person')), usualSize);
  }

  /** Sets a stage up in a folder of its own, which holds nothing yet. */
  static async open(cli: PlayedCli, program: string, folder: string): Promise<Stage> {
    const model = new StubModel();
    await model.start();
    const stage = new Stage(cli, program, model, folder);
    const { signIn } = cli.setUp;
    if (signIn !== undefined) await stage.#run(signIn(model.url));
    return stage;
  }

  /** Starts the CLI, and leaves it at what it shows first: a question about trust, or its composer. */
  async start(args: readonly string[] = this.cli.start): Promise<void> {
    // A window that was too small for it may have ended it.
    this.window.resize(usualSize);
    this.window.type(['clear;', this.cli.setUp.harness, ...args].join(' '));
    this.window.press('Enter');
    const asked = this.cli.setUp.trusting.map(({ on }) => on.source);
    const up = new RegExp([this.cli.ready.source, ...asked, 'key to close'].join('|'), 'm');
    const isUp = await this.window.shows(up, upMs);
    if (!isUp) throw new Error(`${this.cli.setUp.harness} did not start; its window shows:\n${this.window.text()}`);
    await this.window.settled(800, 5_000);
  }

  /** Whether it asks for trust now. */
  get asksTrust(): boolean {
    return this.cli.setUp.trusting.some(({ on }) => on.test(this.window.text()));
  }

  /** Answers what it asks at its start, until its composer stands free. */
  async enter(): Promise<void> {
    for (let times = 0; times < pressesMost; times += 1) {
      const shown = this.window.text();
      const stroke = this.cli.setUp.trusting.find(({ on }) => on.test(shown));
      if (stroke === undefined && !/key to close/.test(shown)) break;
      this.window.press(stroke?.key ?? 'Escape');
      await pause(1_500);
    }
    await this.window.shows(this.cli.ready, upMs);
    await this.window.settled(800, 5_000);
  }

  /** Types a line and sends it; answers whether the model was asked to work on it. */
  async say(text: string, patienceMs = 15_000): Promise<boolean> {
    const before = this.#turns;
    await this.line(text);
    return this.until(() => this.#turns > before, patienceMs);
  }

  /** Types a line and sends it. */
  async line(text: string): Promise<void> {
    this.window.type(text);
    await pause(typedMs);
    const end = text.split(' ').at(-1)?.slice(-echoed) ?? '';
    await this.until(() => this.window.text().includes(end), echoMs);
    this.window.press('Enter');
  }

  /** Presses keys one after another, as a person does. */
  async press(keys: readonly string[], gapMs = 300): Promise<void> {
    for (const key of keys) {
      this.window.press(key);
      await pause(gapMs);
    }
  }

  /** Waits until something holds; answers whether it did within the patience, in milliseconds. */
  async until(holds: () => boolean, patienceMs = 15_000): Promise<boolean> {
    const end = performance.now() + patienceMs;
    while (!holds()) {
      if (performance.now() > end) return false;
      await pause(100);
    }
    return true;
  }

  /** Lets held answers go and waits for the end of the turn; answers whether it came. */
  async finish(): Promise<boolean> {
    const ended = await this.until(() => {
      this.model.hold.release();
      return this.model.standing === 'answered';
    });
    await this.window.settled(1_000, 4_000);
    return ended;
  }

  /** Ends what runs in the window, and stands in its shell again. */
  async leave(): Promise<void> {
    this.window.restart(this.project);
    await this.until(() => this.isLeft);
  }

  /** Whether the CLI has gone, and the shell has the window. */
  get isLeft(): boolean {
    return this.window.capture().command === 'bash';
  }

  async close(): Promise<void> {
    this.window.close();
    await this.model.stop();
  }

  get #turns(): number {
    return this.model.requests.filter(({ tools }) => tools.length > 0).length;
  }

  async #run(args: readonly string[]): Promise<void> {
    this.window.type(`${[this.cli.setUp.harness, ...args].join(' ')}; echo signed-''in`);
    this.window.press('Enter');
    await this.window.shows(/signed-in/, upMs);
  }

  #person(home: string): Record<string, string> {
    const person = setUpPerson(this.cli.setUp, home, this.#program, this.model.url);
    return { ...person, COLORTERM: 'truecolor', BROWSER: '/bin/true' };
  }
}

function makeProject(path: string): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', path, ...args], { stdio: 'ignore' });
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'README.md'), 'A project of the lab.\n');
  git('init', '--quiet', '--initial-branch=main');
  git('add', '.');
  git('-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '--quiet', '-m', 'begin');
}
