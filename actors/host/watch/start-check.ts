import { lastRowsWithWords, type Observation, withWords } from '#actors/host/reading/observation.ts';
import type { AgentContext, ReportedReading } from '#machines/agent/agent-context.ts';
import type { CheckedReading } from './self-report-check.ts';

/** How long a started CLI may show unknown screens before a person is notified, in milliseconds. */
const patienceMs = 20_000;
/**
 * How long a restored CLI must show rest before it counts, in milliseconds: some show an empty first page, and then
 * clear it to draw their conversation.
 */
const restoredRestMs = 1_500;
/** How much of the screen the reason quotes: the last rows, and at most this many characters. */
const [quotedRows, maxQuoted] = [4, 200];
/** Reasons that need no person: it is starting, its pane is gone or in use, or a person or muster has typed. */
const known = new Set([
  'starting',
  'draft',
  'transition',
  'mode',
  'exited',
  'exited to a shell',
  'disagreement',
  'unread',
]);

/**
 * Detects a CLI that has shown only an unknown screen since it was started or restored, and holds back the rest that a
 * restored one shows first.
 */
export class StartCheck {
  /**
   * Whether it has shown only unknown screens and questions since its start; undefined before the first observation.
   */
  #isStarting: boolean | undefined;
  /** Whether it was restored and has not rested for long enough since; undefined before the first observation. */
  #isRestored: boolean | undefined;
  /** Since when it has shown rest after a restore. */
  #restSince: number | undefined;
  /** Since when an unknown screen is shown. */
  #since: number | undefined;
  /** The reason that is reported once that has lasted for too long. */
  #reason: string | undefined;

  judge(checked: CheckedReading, observation: Observation, context: AgentContext, now: number): CheckedReading {
    const { reading } = checked;
    // An earlier process may have notified people already.
    const wasStuck = context.stuck === true;
    this.#isStarting ??= wasStuck || isStarting(context);
    this.#isRestored ??= isRestored(context);
    const heldMs = this.#isRestored ? this.#heldMs(reading, now) : 0;
    if (heldMs > 0) return { ...checked, heldMs };
    if (reading.state === 'AGENT_STATE_IDLE' || reading.state === 'AGENT_STATE_THINKING') this.#isStarting = false;
    const shown = quoteOf(observation);
    const isUnknown = reading.state === 'AGENT_STATE_UNCERTAIN' && !known.has(wordOf(reading)) && shown !== '';
    if (!this.#isStarting || !isUnknown) {
      this.#since = undefined;
      this.#reason = undefined;
      return checked;
    }
    this.#since ??= wasStuck ? now - patienceMs : now;
    const left = patienceMs - (now - this.#since);
    if (left > 0) return { ...checked, againMs: Math.min(left, checked.againMs ?? left) };
    // Keep the first reason, although the screen may change.
    this.#reason ??= wasStuck ? context.reason : reasonOf(reading, shown);
    const why = 'it has shown no screen that the rules know since its start';
    return { ...checked, reading: { ...reading, reason: this.#reason, stuck: true }, why };
  }

  /** How long rest after a restore must still last until it counts, in milliseconds; 0 for anything else. */
  #heldMs({ state }: ReportedReading, now: number): number {
    if (state !== 'AGENT_STATE_IDLE') {
      this.#restSince = undefined;
      return 0;
    }
    this.#restSince ??= now;
    const left = restoredRestMs - (now - this.#restSince);
    if (left <= 0) this.#isRestored = false;
    return Math.max(0, left);
  }
}

function isStarting(context: AgentContext): boolean {
  return context.state === 'AGENT_STATE_SETTING_UP' || isRestored(context);
}

function isRestored({ state, reason }: AgentContext): boolean {
  return state === 'AGENT_STATE_UNCERTAIN' && reason === 'resumed';
}

/** The word that a reason begins with, without its detail. */
function wordOf({ reason }: ReportedReading): string {
  return reason.split(', ', 1)[0] ?? '';
}

/** The unknown rows, or else the last rows of the screen; without frames and empty prompts. */
function quoteOf({ capture, reading }: Observation): string {
  const rows = reading.reason === 'unknown-row' ? withWords(reading.evidence) : [];
  return (rows.length > 0 ? rows : lastRowsWithWords(capture, quotedRows)).join(' · ');
}

function reasonOf({ reason }: ReportedReading, shown: string): string {
  return `${reason === '' ? 'unknown-screen' : reason}, ${shown}`.slice(0, maxQuoted);
}
