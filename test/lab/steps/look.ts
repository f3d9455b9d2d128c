import type { PaneState } from '#contract/agent/agent-state.ts';
import type { Capture } from '#contract/pane/capture.ts';
import type { Reading } from '#contract/pane/reading.ts';
import { screensOf } from '#machines/harness/harnesses.ts';
import { builtIn } from '#machines/harness/table.ts';
import { read } from '#machines/pane/read.ts';

/**
 * What a CLI does, as the model and the one who types know it: a state; `menu` if a page or a picker stands open that a
 * person asked for.
 */
export type Truth = 'IDLE' | 'THINKING' | 'WAITING' | 'UNCERTAIN' | 'menu';

/** One step: a screen, and what was true when it was taken. */
export interface Look {
  /** The step, such as `streaming`. */
  readonly step: string;
  readonly truth: Truth;
  readonly capture: Capture;
}

/** What a step came to: `unsure` is UNCERTAIN with a reason. */
export type Verdict = 'right' | 'unsure' | 'false';

/** How a look is read by the rules as they are now. */
export function readLook(harness: string, { capture }: Look): Reading {
  return readCaptureOf(harness, capture);
}

/** How a screen is read by the rules as they are now. */
export function readCaptureOf(harness: string, capture: Capture): Reading {
  return read(screensOf(builtIn, harness), capture);
}

/** Judges a reading by what was true. */
export function verdictOf({ truth }: Look, { state, reason }: Reading): Verdict {
  if (isRight(truth, state)) return 'right';
  return state === 'AGENT_STATE_UNCERTAIN' && reason !== '' ? 'unsure' : 'false';
}

function isRight(truth: Truth, state: PaneState): boolean {
  if (truth === 'menu') return state === 'AGENT_STATE_WAITING' || state === 'AGENT_STATE_UNCERTAIN';
  return state === `AGENT_STATE_${truth}`;
}
