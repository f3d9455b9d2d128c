import { type Observation, toReading } from '#actors/host/reading/observation.ts';
import type { AgentContext, ReportedReading } from '#machines/agent/agent-context.ts';
import { settleMs } from '#machines/settle.ts';
import { NoiseFilter } from './noise-filter.ts';
import { SelfReportCheck, type Verdict } from './self-report-check.ts';
import { StartCheck } from './start-check.ts';
import { UnknownRow } from './unknown-row.ts';

/**
 * Looks that may wait come at multiples of this time, in milliseconds, so that many panes are looked at in one go: at
 * the second one after the last look.
 */
const strideMs = 250;
/** A reading that an agent got and has not decided on is sent again after this time, in milliseconds. */
const againMs = 5_000;
/**
 * A question that was asked before, apart from its digits, counts once it has stood so long: some only blink or count.
 */
const standsMs = 2_000;
/** How many questions are remembered. */
const maxRemembered = 64;
/**
 * The delay between a pane's first signal and its capture, in milliseconds, so that one capture sees a whole redraw.
 */
export const gatherMs = 50;

/** Why a row that is not known shows work. */
const turningWords = 'a row that the rules do not know keeps changing, as only work does';

/** What one pane showed when it was looked at last, and which of its output is known to mean nothing. */
export class SeenPane {
  readonly #noise = new NoiseFilter();
  readonly #unknown = new UnknownRow();
  #isTurning = false;
  readonly #selfReport = new SelfReportCheck();
  readonly #start = new StartCheck();
  #verdict: Verdict | undefined;
  /** When the last look began. */
  #at: number;
  #digest = '';
  /** The reading that was sent last, and to which version of the agent. */
  #reported: { readonly what: string; readonly at: number } | undefined;
  #since: number;
  /** The question that stands, as its screen is named, and since when. */
  #question = { screen: '', since: 0 };
  /** What the screen asks, and since when. */
  #asked = { text: '', since: 0 };
  /** The state that was sent last, with its reason, and what was asked meanwhile. */
  #standing = '';
  readonly #questions = new Set<string>();

  constructor(now: number) {
    this.#at = now;
    this.#since = now;
  }

  /**
   * Takes what the pane has written. If all of it is known noise, returns the milliseconds until the next observation:
   * no later than half a second after the last one, or 300 ms from now if that is over.
   */
  calmAfter(frames: readonly number[], now: number): number | undefined {
    if (!this.#noise.hear(frames)) return undefined;
    const soonest = Math.ceil((now + gatherMs) / strideMs);
    const second = Math.floor(this.#at / strideMs) + 2;
    return Math.max(soonest, second) * strideMs - now;
  }

  /** A look begins; answers with the frames that it will show the outcome of. */
  begin(now: number): ReadonlySet<number> {
    this.#at = now;
    return this.#noise.take();
  }

  /** A look has shown this. */
  show(observation: Observation, now: number): void {
    const { digest, asked, reading } = observation;
    const screen = reading.state === 'AGENT_STATE_WAITING' ? observation.screenDigest : '';
    if (screen !== this.#question.screen) this.#question = { screen, since: now };
    if (digest !== this.#digest) this.#since = now;
    this.#digest = digest;
    this.#isTurning = this.#unknown.isTurning(reading, now);
    if (asked !== this.#asked.text) this.#asked = { text: asked, since: now };
  }

  /** Judges what the last look has shown, together with what the CLI last said of itself. */
  judge(observation: Observation, context: AgentContext, now: number): Verdict {
    const { report, state, asksUnseen = false } = context;
    const read = toReading(observation);
    const reading: ReportedReading = this.#isTurning ? { ...read, state: 'AGENT_STATE_THINKING' } : read;
    const unchangedMs = this.unchangedMs(observation.digest, now);
    // A host that was started again has not seen for how long: what was in doubt stays so.
    const isDoubted = asksUnseen || (this.#verdict === undefined && state === 'AGENT_STATE_UNCERTAIN');
    const verdict = this.#selfReport.judge({ reading, report, isDoubted, unchangedMs, now });
    const why = verdict.why === '' && this.#isTurning ? turningWords : verdict.why;
    this.#verdict = this.#start.judge({ ...verdict, why }, observation, context, now);
    return this.#verdict;
  }

  /** What the last look came to; undefined before the first one. */
  get verdict(): Verdict | undefined {
    return this.#verdict;
  }

  /** Whether the screen is in doubt over a row that keeps changing, as only work does. */
  get isTurning(): boolean {
    return this.#isTurning;
  }

  /** In how many milliseconds the screen's question counts as another one, if it still stands then; 0 if it does now. */
  asksNextIn(now: number): number {
    const { text, since } = this.#asked;
    const needed = this.#questions.has(withoutDigits(text)) ? standsMs : settleMs;
    return Math.max(0, needed - (now - since));
  }

  /** For how long a screen has been shown, in milliseconds; 0 if the last look showed another one. */
  unchangedMs(digest: string, now: number): number {
    return digest === this.#digest ? now - this.#since : 0;
  }

  /**
   * For how long a question has stood on this screen, in milliseconds; 0 where the last look showed another one, or
   * none.
   */
  stoodMs(screen: string, now: number): number {
    return screen === this.#question.screen ? now - this.#question.since : 0;
  }

  /** The reading that stands was seen again after these frames. */
  markAsNoise(frames: ReadonlySet<number>): void {
    this.#reported = undefined;
    this.#noise.learn(frames);
  }

  /**
   * Another reading stands now. Answers whether that is news to the agent: it is none while the agent, whose record has
   * this version, has received exactly that and has not decided on it yet.
   */
  changed({ state, reason, asked = '' }: ReportedReading, version: number, now: number): boolean {
    this.#noise.forget();
    const key = `${version} ${state} ${reason} ${asked}`;
    if (key === this.#reported?.what && now - this.#reported.at < againMs) return false;
    this.#reported = { what: key, at: now };
    if (`${state} ${reason}` !== this.#standing || this.#questions.size >= maxRemembered) this.#questions.clear();
    this.#standing = `${state} ${reason}`;
    this.#questions.add(withoutDigits(asked));
    return true;
  }
}

function withoutDigits(text: string): string {
  return text.replace(/\d+/g, '0');
}
