import { closeSync, constants, openSync, readlinkSync, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Capture } from '#contract/pane/capture.ts';
import { loadSamples } from '#test/pane/screen-corpus.ts';

const samples = new Map(loadSamples().map((sample) => [sample.name, sample.capture]));
const screens = {
  AGENT_STATE_IDLE: screenOf('claude/fresh-200x50'),
  AGENT_STATE_THINKING: screenOf('claude/think.mid-200x50'),
  AGENT_STATE_WAITING: screenOf('claude/ask.ask-200x50'),
} as const;
export type StagedState = keyof typeof screens;

/** The frames of a spinner. */
const glyphs = [...'*·✢✳✶✻✽'];
const spinner = /[*·✢✳✶✻✽](?=.*ing…)/u;
const frameMs = 100;

function screenOf(name: string): Capture {
  const capture = samples.get(name);
  if (capture === undefined) throw new Error(`there is no screen ${name}`);
  return capture;
}

/**
 * Panes of 200 by 50 cells without a CLI. Real screens are painted into their terminals from outside, so that hundreds
 * of panes cost only their terminals.
 */
export class PaneStage {
  readonly #terminals: readonly number[];
  #animating: Promise<void> = Promise.resolve();
  /** Panes that do not show a spinner now. */
  readonly #still = new Set<number>();
  #stopped = false;

  /** @param pids the processes that the panes were opened with */
  constructor(pids: readonly number[]) {
    this.#terminals = pids.map((pid) => {
      return openSync(readlinkSync(`/proc/${pid}/fd/0`), constants.O_WRONLY | constants.O_NOCTTY);
    });
  }

  /** Paints a whole screen. Returns after the last byte is written. */
  paint(place: number, state: StagedState): void {
    const { rows, cursor } = screens[state];
    if (state === 'AGENT_STATE_THINKING') this.#still.delete(place);
    else this.#still.add(place);
    const painted = rows.map((row) => `\x1b[0m${row}\x1b[0m\x1b[K`).join('\n');
    this.#write(place, `\x1b[H${painted}\x1b[J\x1b[${cursor.row + 1};${cursor.column + 1}H`);
  }

  /** Turns the spinners in these panes ten times a second until `close`. */
  animate(places: readonly number[]): void {
    const { rows } = screens.AGENT_STATE_THINKING;
    const at = rows.findIndex((row) => spinner.test(row));
    const row = rows[at] ?? '';
    if (at < 0) throw new Error('the screen shows no spinner');
    for (const place of places) this.paint(place, 'AGENT_STATE_THINKING');
    this.#animating = this.#turn(places, (frame) => {
      const glyph = glyphs[frame % glyphs.length] ?? '';
      return `\x1b[${at + 1};1H\x1b[0m${row.replace(spinner, glyph)} ${frame}\x1b[0m\x1b[K`;
    });
  }

  async close(): Promise<void> {
    this.#stopped = true;
    await this.#animating;
    for (const terminal of this.#terminals) closeSync(terminal);
  }

  async #turn(places: readonly number[], frameOf: (frame: number) => string): Promise<void> {
    const start = performance.now();
    for (let frame = 0; !this.#stopped; frame += 1) {
      for (const place of places) if (!this.#still.has(place)) this.#write(place, frameOf(frame));
      await delay(Math.max(1, start + (frame + 1) * frameMs - performance.now()));
    }
  }

  #write(place: number, text: string): void {
    writeSync(this.#terminals[place] ?? -1, text);
  }
}
