import { lastRowsWithWords, type Observation, withWords } from '#actors/host/reading/observation.ts';
import type { AgentContext, ReportedReading } from '#machines/agent/agent-context.ts';
import type { Verdict } from './self-report-check.ts';

/** How long a CLI that was started may stand on screens that are not known until a person is notified, in milliseconds. */
const patienceMs = 20_000;
/** How much of the screen the reason quotes: so many rows from the end, and characters. */
const [quotedRows, maxQuoted] = [4, 200];
/** Reasons that need nobody: it is still starting, its pane is gone or in use, or a person or muster itself has typed. */
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

/** Notices a CLI that has stood since its start, or since it was restored, on a screen of which nothing is known. */
export class StartCheck {
  /** Whether it has shown nothing but unknown screens and questions since it was started; undefined before the first look. */
  #isStarting: boolean | undefined;
  /** Since when an unknown screen has stood. */
  #since: number | undefined;
  /** What is reported once it has stood for too long. */
  #reason: string | undefined;

  judge(verdict: Verdict, observation: Observation, context: AgentContext, now: number): Verdict {
    const { reading } = verdict;
    // Whoever watched this pane before may have notified people already.
    const wasStuck = context.stuck === true;
    this.#isStarting ??= wasStuck || isStarting(context);
    if (reading.state === 'AGENT_STATE_IDLE' || reading.state === 'AGENT_STATE_THINKING') this.#isStarting = false;
    const shown = quoteOf(observation);
    const isUnknown = reading.state === 'AGENT_STATE_UNCERTAIN' && !known.has(wordOf(reading)) && shown !== '';
    if (!this.#isStarting || !isUnknown) {
      this.#since = undefined;
      this.#reason = undefined;
      return verdict;
    }
    this.#since ??= wasStuck ? now - patienceMs : now;
    const left = patienceMs - (now - this.#since);
    if (left > 0) return { ...verdict, againMs: Math.min(left, verdict.againMs ?? left) };
    // As it was first seen: what moves on it is no other reason.
    this.#reason ??= wasStuck ? context.reason : reasonOf(reading, shown);
    const why = 'it has shown no screen that the rules know since its start';
    return { ...verdict, reading: { ...reading, reason: this.#reason, stuck: true }, why };
  }
}

function isStarting({ state, reason }: AgentContext): boolean {
  return state === 'AGENT_STATE_SETTING_UP' || (state === 'AGENT_STATE_UNCERTAIN' && reason === 'resumed');
}

/** The word that a reason begins with, without its detail. */
function wordOf({ reason }: ReportedReading): string {
  return reason.split(', ', 1)[0] ?? '';
}

/** The rows in doubt; without any, the last rows of the screen. Frames and empty prompts say nothing and are left out. */
function quoteOf({ capture, reading }: Observation): string {
  const rows = reading.reason === 'unknown-row' ? withWords(reading.evidence) : [];
  return (rows.length > 0 ? rows : lastRowsWithWords(capture, quotedRows)).join(' · ');
}

function reasonOf({ reason }: ReportedReading, shown: string): string {
  return `${reason === '' ? 'unknown-screen' : reason}, ${shown}`.slice(0, maxQuoted);
}
