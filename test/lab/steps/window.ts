import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Capture } from '#contract/pane/capture.ts';
import { noStatus } from '#world/terminal/status-scanner.ts';
import { captureLines, readCapture } from '#world/tmux/screen.ts';

/** Between two looks at a window, in milliseconds. */
const lookMs = 150;

/** Columns and rows. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A window of a real tmux server of its own, with a shell in it, which is read as muster reads an agent's. */
export class Window {
  readonly #socket: string;
  readonly #environment: Readonly<Record<string, string>>;

  /** Opens a shell in a folder with exactly these variables. `folder` is where the server's socket is put. */
  constructor(folder: string, cwd: string, environment: Readonly<Record<string, string>>, size: Size) {
    this.#socket = join(folder, 'tmux');
    this.#environment = { ...environment, TERM: 'screen-256color', PS1: '$ ' };
    const given = ['-x', String(size.width), '-y', String(size.height), '-c', cwd];
    this.#tmux('-f', '/dev/null', 'new-session', '-d', '-s', 'lab', ...given, 'sh');
    for (const option of [
      ['default-terminal', 'screen-256color'],
      ['window-size', 'manual'],
      ['escape-time', '10'],
    ])
      this.#tmux('set-option', '-g', ...option);
    this.restart(cwd);
  }

  /** Ends what runs in it, and opens a shell in a folder. */
  restart(cwd: string): void {
    this.#tmux('respawn-pane', '-k', '-t', 'lab', '-c', cwd, 'bash --norc --noprofile');
  }

  /** Types a text, as keys. */
  type(text: string): void {
    this.#tmux('send-keys', '-t', 'lab', '-l', text);
  }

  /** Presses keys, by tmux's names. */
  press(...keys: readonly string[]): void {
    this.#tmux('send-keys', '-t', 'lab', ...keys);
  }

  resize({ width, height }: Size): void {
    this.#tmux('resize-window', '-t', 'lab', '-x', String(width), '-y', String(height));
  }

  /** What the window shows now. */
  capture(): Capture {
    const id = this.#tmux('display-message', '-p', '-t', 'lab', '#{pane_id}').trim();
    const [capture = '', display = ''] = captureLines(id, 'lab');
    const format = display
      .slice(display.indexOf('"') + 1, -1)
      .replaceAll('\\t', '\t')
      .replaceAll('\\011', '\t');
    const described = this.#tmux('display-message', '-p', '-t', 'lab', format);
    const shown = this.#tmux('capture-pane', '-p', '-e', '-N', '-t', 'lab').replaceAll('\\', '\\134');
    const blocks = [capture, described, shown].map((text) => ({
      ok: true,
      lines: text.replace(/\n$/, '').split('\n'),
    }));
    const read = readCapture(id, blocks, noStatus);
    if (read === undefined) throw new Error('tmux does not know the window of the lab');
    return read;
  }

  /** What the window shows, without attributes. */
  text(): string {
    return this.#tmux('capture-pane', '-p', '-t', 'lab');
  }

  /** What it shows once it has stood still for so long, or once the patience is up; both in milliseconds. */
  async settled(stillMs: number, patienceMs: number): Promise<Capture> {
    const end = performance.now() + patienceMs;
    let [last, since] = [this.capture(), performance.now()];
    while (performance.now() < end && performance.now() - since < stillMs) {
      await pause(lookMs);
      const next = this.capture();
      if (JSON.stringify(next) !== JSON.stringify(last)) [last, since] = [next, performance.now()];
    }
    return last;
  }

  /** Waits until it shows something; answers whether it did within the patience, in milliseconds. */
  async shows(what: RegExp, patienceMs: number): Promise<boolean> {
    const end = performance.now() + patienceMs;
    while (!what.test(this.text())) {
      if (performance.now() > end) return false;
      await pause(lookMs);
    }
    return true;
  }

  close(): void {
    // Its shell may have ended, and the server with it.
    if (existsSync(this.#socket)) spawnSync('tmux', ['-S', this.#socket, 'kill-server']);
  }

  #tmux(...args: readonly string[]): string {
    // A pane that is opened takes its PATH from whoever asks for it.
    const env = this.#environment;
    return execFileSync('tmux', ['-S', this.#socket, ...args], { encoding: 'utf8', maxBuffer: 1 << 24, env });
  }
}
