import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Look, readCaptureOf, readLook, type Truth, verdictOf } from './look.ts';
import { type Stage, usualSize } from './stage.ts';
import type { Size } from './window.ts';

/** How long a screen at rest has to stand still, and how long that is waited for, in milliseconds. */
const [stillMs, patienceMs] = [600, 3_000];
/** How long after a resize a screen on which something turns is taken, in milliseconds. */
const turningMs = 900;
/** How long a screen that reads wrong is given to come right, in milliseconds: what passes by itself is no fault. */
const secondMs = 2_000;
/** How often a turn is interrupted at most until the CLI no longer shows it. */
const interruptsMost = 3;

/** Leads a CLI on its stage through scenes, and takes a look at each step. */
export class Player {
  readonly stage: Stage;
  readonly looks: Look[] = [];
  readonly #keep: (looks: readonly Look[]) => void;
  /** What could not be staged, so that nothing is known of it. */
  readonly missed: string[] = [];

  /** `keep` gets every look as it is taken. */
  constructor(stage: Stage, keep: (looks: readonly Look[]) => void) {
    this.#keep = keep;
    this.stage = stage;
  }

  /** Takes a look in each size. `holds` says what the model cannot know, such as that a command runs. */
  async look(step: string, truth: Truth, sizes: readonly string[], holds = () => this.#isStaged(truth)): Promise<void> {
    for (const size of sizes) {
      this.stage.window.resize(sizeOf(size));
      await pause(turningMs);
      // Some break in a window that is too small for them.
      if (truth !== 'UNCERTAIN' && this.stage.isLeft) throw new Error(`the CLI ended in ${step} at ${size}`);
      if (!holds()) {
        this.missed.push(`${step} at ${size}`);
        continue;
      }
      this.#add(await this.#take(step, truth));
    }
    this.stage.window.resize(usualSize);
    await pause(turningMs);
  }

  /**
   * Takes a look in each size, and learns afterwards what was true: if the model is asked again with nobody typing, the
   * CLI was at work; if it is not, the turn had ended. Its end may take a moment: then another look is taken.
   */
  async lookLater(step: string, sizes: readonly string[]): Promise<void> {
    const taken: { readonly look: Look; readonly asked: number }[] = [];
    for (const size of sizes) {
      this.stage.window.resize(sizeOf(size));
      // A turn that has just ended is drawn a moment later.
      await this.stage.window.settled(stillMs, secondMs);
      const look = await this.#shot(step, 'THINKING');
      taken.push({ look, asked: this.#asked });
    }
    this.stage.window.resize(usualSize);
    const before = this.#asked;
    await this.stage.until(() => this.#asked > before, this.stage.cli.retryMs);
    for (const { look, asked } of taken) {
      if (this.#asked > asked) this.#add(look);
      else this.#add(await this.#ended({ ...look, truth: 'IDLE' }));
    }
    this.stage.window.resize(usualSize);
    await pause(turningMs);
  }

  async say(text: string): Promise<void> {
    if (await this.stage.say(text)) return;
    this.missed.push(`the model was not asked: ${text}`);
  }

  /** Waits until the model has asked for a tool; answers whether it has. */
  async called(): Promise<boolean> {
    const hasCalled = await this.stage.until(() => {
      this.stage.model.hold.release();
      return this.stage.model.standing === 'called';
    });
    await this.stage.window.settled(1_000, 4_000);
    return hasCalled;
  }

  async finish(): Promise<void> {
    if (!(await this.stage.finish())) this.missed.push('a turn did not end');
  }

  /** Refuses what is asked, and waits for the end of the turn. */
  async refuse(): Promise<void> {
    await this.stage.press(this.stage.cli.interrupt);
    await pause(turningMs);
    this.stage.model.forget();
  }

  /** Ends the turn. A busy machine may lose the keys: they are pressed again while the screen still shows the turn. */
  async interrupt(): Promise<void> {
    for (let times = 0; times < interruptsMost; times += 1) {
      await this.stage.press(this.stage.cli.interrupt);
      await this.stage.until(() => this.stage.model.standing === 'answered', 5_000);
      const capture = await this.stage.window.settled(stillMs, patienceMs);
      if (readCaptureOf(this.stage.cli.setUp.harness, capture).state !== 'AGENT_STATE_THINKING') return;
    }
  }

  /** Leaves what is open, and empties the composer. */
  async empty(): Promise<void> {
    await this.stage.press(['Escape']);
    await pause(turningMs);
    // A second Escape opens a page in some.
    const { reason } = readCaptureOf(this.stage.cli.setUp.harness, this.stage.window.capture());
    if (reason === 'viewer') await this.stage.press(['q'], turningMs);
    await this.stage.press(['C-e', 'C-u']);
    await pause(turningMs);
  }

  hasFile(name: string): boolean {
    return existsSync(join(this.stage.project, name));
  }

  #add(look: Look): void {
    this.looks.push(look);
    this.#keep(this.looks);
  }

  get #asked(): number {
    return this.stage.model.asked;
  }

  #isStaged(truth: Truth): boolean {
    const { standing } = this.stage.model;
    if (truth === 'THINKING') return standing === 'answering';
    if (truth === 'WAITING') return standing === 'called' || this.stage.asksTrust;
    return standing === 'answered';
  }

  async #take(step: string, truth: Truth): Promise<Look> {
    const first = await this.#shot(step, truth);
    const { setUp, silenceMs = 0 } = this.stage.cli;
    if (truth === 'THINKING' || verdictOf(first, readLook(setUp.harness, first)) === 'right') return first;
    await pause(Math.max(secondMs, truth === 'IDLE' ? silenceMs : 0));
    return this.#shot(step, truth);
  }

  /** A look at the end of a turn, or another one in its size if it does not show that yet. */
  async #ended(look: Look): Promise<Look> {
    if (verdictOf(look, readLook(this.stage.cli.setUp.harness, look)) === 'right') return look;
    const { width, height } = look.capture;
    this.stage.window.resize({ width, height });
    await pause(turningMs);
    return this.#take(look.step, look.truth);
  }

  async #shot(step: string, truth: Truth): Promise<Look> {
    if (truth === 'THINKING') await pause(turningMs);
    const capture = truth === 'THINKING' ? this.stage.window.capture() : await this.#still();
    return { step, truth, capture };
  }

  async #still(): Promise<Look['capture']> {
    await pause(stillMs);
    return this.stage.window.settled(stillMs, patienceMs);
  }
}

function sizeOf(text: string): Size {
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
}
