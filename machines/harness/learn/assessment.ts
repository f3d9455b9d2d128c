import type { PaneState } from '#contract/agent/agent-state.ts';
import { labelMeanings, type RecordedScreen, type ScreenLabel } from '#contract/pane/recorded-screen.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { read } from '#machines/pane/read.ts';

/** How a recorded screen is read: as labelled, undecided, or wrong. */
export type Verdict = 'right' | 'uncertain' | 'wrong';

/** One recorded screen, read. */
export interface ReadScreen {
  readonly screen: RecordedScreen;
  readonly state: PaneState;
  readonly reason: string;
  readonly rule: string;
  readonly verdict: Verdict;
}

/** Reads a recorded screen by a harness's rules. */
export function readRecorded(screens: HarnessScreens, screen: RecordedScreen): ReadScreen {
  const { state, reason, rule } = read(screens, screen.capture);
  return { screen, state, reason, rule, verdict: verdictOf(labelMeanings[screen.label].state, state) };
}

function verdictOf(held: PaneState, state: PaneState): Verdict {
  if (held === state) return 'right';
  return state === 'AGENT_STATE_UNCERTAIN' ? 'uncertain' : 'wrong';
}

/** Whether a screen at work or with a question reads as rest: muster would then type at the wrong time. */
export function isFatal({ screen, state }: ReadScreen): boolean {
  const held = labelMeanings[screen.label].state;
  return state === 'AGENT_STATE_IDLE' && (held === 'AGENT_STATE_THINKING' || held === 'AGENT_STATE_WAITING');
}

/** A score of how well rules read recorded screens: higher is better, and false rest costs most. */
export function scoreOf(readings: readonly ReadScreen[]): number {
  return readings.reduce((sum, reading) => {
    if (isFatal(reading)) return sum - 8;
    return sum + (reading.verdict === 'right' ? 2 : reading.verdict === 'wrong' ? -3 : 0);
  }, 0);
}

/** The results for one label. Counts are of screens. */
export interface LabelAssessment {
  readonly label: ScreenLabel;
  readonly right: number;
  readonly uncertain: number;
  readonly wrong: number;
  /** How many different moments were recorded, and at which sizes, such as `80x24`. */
  readonly moments: number;
  readonly sizes: readonly string[];
}

/** The results for the recorded labels, in the order of their list. */
export function assess(readings: readonly ReadScreen[]): LabelAssessment[] {
  return labelsIn(readings).map((label) => {
    const own = readings.filter(({ screen }) => screen.label === label);
    const count = (verdict: Verdict) => own.filter((reading) => reading.verdict === verdict).length;
    return {
      label,
      right: count('right'),
      uncertain: count('uncertain'),
      wrong: count('wrong'),
      moments: new Set(own.map(({ screen }) => screen.moment)).size,
      sizes: [...new Set(own.map(({ screen }) => sizeOf(screen)))].toSorted(),
    };
  });
}

/** A screen's size, such as `80x24`. */
export function sizeOf({ capture }: RecordedScreen): string {
  return `${capture.width}x${capture.height}`;
}

function labelsIn(readings: readonly ReadScreen[]): ScreenLabel[] {
  const seen = new Set(readings.map(({ screen }) => screen.label));
  const all = Object.keys(labelMeanings) as ScreenLabel[];
  return all.filter((label) => seen.has(label));
}
