import { type Observation, toReading } from '#actors/host/reading/observation.ts';
import type { AgentContext, ReportedReading } from '#machines/agent/agent-context.ts';
import { settleMs } from '#machines/settle.ts';
import { NoiseFilter } from './noise-filter.ts';
import { type CheckedReading, SelfReportCheck } from './self-report-check.ts';
import { StartCheck } from './start-check.ts';
import { UnknownRow } from './unknown-row.ts';

/**
 * Observations that can wait are made at multiples of this time, in milliseconds, at the second one after the last
 * observation. So the observations of many panes coincide.
 */
const strideMs = 250;
/** After this time, a reading that an agent has not decided on is sent again, in milliseconds. */
const againMs = 5_000;
/**
 * How long a question must be shown if it was asked before, apart from its digits, in milliseconds: some texts only
 * blink or count.
 */
const repeatedMs = 2_000;
/** Maximum number of cached questions. */
const maxRemembered = 64;
/**
 * The delay between a pane's first signal and its capture, in milliseconds, so that one capture sees a whole redraw.
 */
export const gatherMs = 50;

/** Why an unknown row shows work. */
const whyChanging = 'a row that the rules do not know keeps changing, as only work does';

/** What a pane showed at its last observation, and which of its output is known noise. */
export class SeenPane {
  readonly #noise = new NoiseFilter();
  readonly #unknown = new UnknownRow();
  #keepsChanging = false;
  readonly #selfReport = new SelfReportCheck();
  readonly #start = new StartCheck();
  #checked: CheckedReading | undefined;
  /** When the last observation began. */
  #at: number;
  #digest = '';
  /** The reading that was sent last, and to which version of the agent. */
  #reported: { readonly what: string; readonly at: number } | undefined;
  #since: number;
  /** The screen digest of the current question, and since when it is shown. */
  #question = { screen: '', since: 0 };
  /** The text of the current question, and since when it is shown. */
  #asked = { text: '', since: 0 };
  /** The state that was last sent, with its reason, and the questions asked since then. */
  #standing = '';
  readonly #questions = new Set<string>();

  constructor(now: number) {
    this.#at = now;
    this.#since = now;
  }

  /**
   * Records the pane's output. If all of it is known noise, returns the milliseconds until the next observation: at
   * most half a second after the last one, or 300 ms from now if that is over. Otherwise undefined.
   */
  calmAfter(frames: readonly number[], now: number): number | undefined {
    if (!this.#noise.record(frames)) return undefined;
    const soonest = Math.ceil((now + gatherMs) / strideMs);
    const second = Math.floor(this.#at / strideMs) + 2;
    return Math.max(soonest, second) * strideMs - now;
  }

  /** Begins an observation. Returns the frames whose effect it will show. */
  begin(now: number): ReadonlySet<number> {
    this.#at = now;
    return this.#noise.take();
  }

  /** Records an observation. */
  show(observation: Observation, now: number): void {
    const { digest, asked, reading } = observation;
    const screen = reading.state === 'AGENT_STATE_WAITING' ? observation.screenDigest : '';
    if (screen !== this.#question.screen) this.#question = { screen, since: now };
    if (digest !== this.#digest) this.#since = now;
    this.#digest = digest;
    this.#keepsChanging = this.#unknown.keepsChanging(reading, now);
    if (asked !== this.#asked.text) this.#asked = { text: asked, since: now };
  }

  /** Checks an observation against the CLI's last report about itself. */
  judge(observation: Observation, context: AgentContext, now: number): CheckedReading {
    const { report, state, asksUnseen = false } = context;
    const read = toReading(observation);
    const reading: ReportedReading = this.#keepsChanging ? { ...read, state: 'AGENT_STATE_THINKING' } : read;
    const unchangedMs = this.unchangedMs(observation.digest, now);
    // After a restart, a host cannot know the duration, so a doubt remains.
    const isDoubted = asksUnseen || (this.#checked === undefined && state === 'AGENT_STATE_UNCERTAIN');
    const checked = this.#selfReport.judge({ reading, report, isDoubted, unchangedMs, now });
    const why = checked.why === '' && this.#keepsChanging ? whyChanging : checked.why;
    this.#checked = this.#start.judge({ ...checked, why }, observation, context, now);
    return this.#checked;
  }

  /** The checked reading of the last observation; undefined before the first one. */
  get checked(): CheckedReading | undefined {
    return this.#checked;
  }

  /** Whether the screen has an unknown row that keeps changing, as only work does. */
  get keepsChanging(): boolean {
    return this.#keepsChanging;
  }

  /** The milliseconds until the current question counts as a new one, if it is still shown then; 0 if it does now. */
  asksNextIn(now: number): number {
    const { text, since } = this.#asked;
    const needed = this.#questions.has(withoutDigits(text)) ? repeatedMs : settleMs;
    return Math.max(0, needed - (now - since));
  }

  /** How long a screen has been shown, in milliseconds; 0 if the last observation showed another one. */
  unchangedMs(digest: string, now: number): number {
    return digest === this.#digest ? now - this.#since : 0;
  }

  /** How long a question has been shown, in milliseconds; 0 if the last observation showed another one or none. */
  questionMs(screen: string, now: number): number {
    return screen === this.#question.screen ? now - this.#question.since : 0;
  }

  /** Learns frames after which the reading was the same. */
  markAsNoise(frames: ReadonlySet<number>): void {
    this.#reported = undefined;
    this.#noise.learn(frames);
  }

  /**
   * Records another reading. Returns whether to send it to the agent: not if the agent, whose record has this version,
   * has received the same reading and not decided on it yet.
   */
  changed({ state, reason, asked = '', limit }: ReportedReading, version: number, now: number): boolean {
    this.#noise.forget();
    const key = `${version} ${state} ${reason} ${limit?.continues ?? false} ${asked}`;
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
