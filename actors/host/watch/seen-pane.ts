import type { Sight } from '#actors/host/reading/sight.ts';
import type { ToldReading } from '#machines/agent/agent-context.ts';
import { settleMs } from '#machines/settle.ts';
import { FamiliarFrames } from './familiar-frames.ts';

/**
 * Looks that may wait come at multiples of this time, in milliseconds, so that many panes are looked at in one go: at the
 * second one after the last look.
 */
const strideMs = 250;
/** What an agent was told and has not decided on is told again after this time, in milliseconds. */
const againMs = 5_000;
/** A question that was asked before, apart from its digits, counts once it has stood so long: some only blink or count. */
const standsMs = 2_000;
/** How many questions are remembered. */
const mostAsked = 64;
/** A redraw is given this long, in milliseconds. */
const gatherMs = 50;

/** What one pane showed when it was looked at last, and which of its output is known to mean nothing. */
export class SeenPane {
  readonly #familiar = new FamiliarFrames();
  /** When the last look began. */
  #at: number;
  #digest = '';
  /** The reading that was told last, and to which version of the agent. */
  #told: { readonly what: string; readonly at: number } | undefined;
  #since: number;
  /** What the screen asks, and since when. */
  #asked = { text: '', since: 0 };
  /** The state that was told last, with its reason, and what was asked meanwhile. */
  #standing = '';
  readonly #questions = new Set<string>();

  constructor(now: number) {
    this.#at = now;
    this.#since = now;
  }

  /**
   * Takes what the pane has written. Where all of it is familiar, answers after how many milliseconds a look will do: no
   * later than half a second after the last one, or 300 ms from now where that is over.
   */
  calmAfter(frames: readonly number[], now: number): number | undefined {
    if (!this.#familiar.hear(frames)) return undefined;
    const soonest = Math.ceil((now + gatherMs) / strideMs);
    const second = Math.floor(this.#at / strideMs) + 2;
    return Math.max(soonest, second) * strideMs - now;
  }

  /** A look begins; answers with the frames that it will show the outcome of. */
  begin(now: number): ReadonlySet<number> {
    this.#at = now;
    return this.#familiar.take();
  }

  /** A look has shown this. */
  show({ digest, asked }: Sight, now: number): void {
    if (digest !== this.#digest) this.#since = now;
    this.#digest = digest;
    if (asked !== this.#asked.text) this.#asked = { text: asked, since: now };
  }

  /** In how many milliseconds the screen's question counts as another one, if it still stands then; 0 where it does now. */
  asksNextIn(now: number): number {
    const { text, since } = this.#asked;
    const needed = this.#questions.has(withoutDigits(text)) ? standsMs : settleMs;
    return Math.max(0, needed - (now - since));
  }

  /** For how long a screen has been shown, in milliseconds; 0 where the last look showed another one. */
  unchangedMs(digest: string, now: number): number {
    return digest === this.#digest ? now - this.#since : 0;
  }

  /** The reading that stands was seen again after these frames. */
  nothingCameOf(frames: ReadonlySet<number>): void {
    this.#told = undefined;
    this.#familiar.learn(frames);
  }

  /**
   * Another reading stands now. Answers whether that is news to the agent: it is none while the agent, whose record has
   * this version, has been told just that and has not decided on it yet.
   */
  moved({ state, reason, asked = '' }: ToldReading, version: number, now: number): boolean {
    this.#familiar.forget();
    const told = `${version} ${state} ${reason} ${asked}`;
    if (told === this.#told?.what && now - this.#told.at < againMs) return false;
    this.#told = { what: told, at: now };
    if (`${state} ${reason}` !== this.#standing || this.#questions.size >= mostAsked) this.#questions.clear();
    this.#standing = `${state} ${reason}`;
    this.#questions.add(withoutDigits(asked));
    return true;
  }
}

function withoutDigits(text: string): string {
  return text.replace(/\d+/g, '0');
}
