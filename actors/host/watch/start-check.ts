import { lastRowsWithWords, type Observation, withWords } from '#actors/host/reading/observation.ts';
import type { AgentContext, ReportedReading } from '#machines/agent/agent-context.ts';
import type { CheckedReading } from './self-report-check.ts';

/** How long a started CLI may show unknown screens before a person is notified, in milliseconds. */
const patienceMs = 20_000;
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

/** Detects a CLI that has shown only an unknown screen since it was started or restored. */
export class StartCheck {
  /**
   * Whether it has shown only unknown screens and questions since its start; undefined before the first observation.
   */
  #isStarting: boolean | undefined;
  /** Since when an unknown screen is shown. */
  #since: number | undefined;
  /** The reason that is reported once that has lasted for too long. */
  #reason: string | undefined;

  judge(checked: CheckedReading, observation: Observation, context: AgentContext, now: number): CheckedReading {
    const { reading } = checked;
    // An earlier process may have notified people already.
    const wasStuck = context.stuck === true;
    this.#isStarting ??= wasStuck || isStarting(context);
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
}

function isStarting({ state, reason }: AgentContext): boolean {
  return state === 'AGENT_STATE_SETTING_UP' || (state === 'AGENT_STATE_UNCERTAIN' && reason === 'resumed');
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
