import { setTimeout as pause } from 'node:timers/promises';
import { type IPty, spawn } from 'node-pty';
import { moment } from '#test/support/moment.ts';
import type { Cast, Output } from './cast-file.ts';

/** How long a person takes for a key, in milliseconds. */
const keyMs = 45;
/** The longest that nothing happens in a recording, in seconds, unless it is there to be read. */
const maxIdle = 0.7;
const width = 96;
const height = 28;
const prompt = '\u001b[1;34m~/shop\u001b[0m $ ';

/** A bash in a terminal of its own, with simulated typing, which is recorded. */
export class RecordedShell {
  readonly #pty: IPty;
  readonly #outputs: Output[] = [];
  /** For how many seconds what was written by then is left to be read, by how many outputs that was. */
  readonly #read = new Map<number, number>();
  readonly #begun = performance.now();
  #written = '';

  /** Starts bash in a folder; the environment is all that it has. */
  constructor(cwd: string, environment: Readonly<Record<string, string>>) {
    const env = { ...environment, PS1: '\\[\\e[1;34m\\]\\w\\[\\e[0m\\] $ ', TERM: 'xterm-256color' };
    const size = { cols: width, rows: height };
    this.#pty = spawn('bash', ['--norc', '--noprofile', '-i'], { cwd, env, name: 'xterm-256color', ...size });
    this.#pty.onData((text) => {
      this.#written += text;
      this.#outputs.push({ at: (performance.now() - this.#begun) / 1000, text });
    });
  }

  /** Waits for a number of prompts. */
  prompts(count: number): Promise<unknown> {
    return moment('a prompt', () => this.#written.split(prompt).length > count);
  }

  /** Waits until something was written after what was written when `act` was called. */
  async shows(wanted: RegExp, act: () => Promise<void>): Promise<void> {
    const from = this.#written.length;
    await act();
    await moment(`${wanted}`, () => wanted.test(this.#written.slice(from)));
  }

  /** Types a line and Enter, as a person does, and waits for the next prompt. */
  async run(line: string): Promise<void> {
    const count = this.#written.split(prompt).length;
    await this.type(`${line}\r`);
    await this.prompts(count);
  }

  /** Types keys, one after another. */
  async type(keys: string): Promise<void> {
    for (const key of keys) {
      this.#pty.write(key);
      await pause(keyMs);
    }
  }

  /** Pauses for this many seconds, so that the output can be read. */
  read(seconds: number): void {
    this.#read.set(this.#outputs.length, seconds);
  }

  /** The recording so far, without long waits. */
  recorded(title: string): Cast {
    let [last, shown] = [this.#outputs[0]?.at ?? 0, 0];
    const outputs = this.#outputs.map(({ at, text }, place) => {
      shown += Math.min(at - last, maxIdle) + (this.#read.get(place) ?? 0);
      last = at;
      return { at: shown, text };
    });
    return { width, height, title, outputs };
  }

  /** Leaves what runs in front, ends what runs in the background, and bash. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#pty.onExit(resolve));
    this.#pty.write('\u0003');
    await pause(keyMs);
    this.#pty.write('kill %1; wait %1; exit\r');
    await ended;
  }
}
