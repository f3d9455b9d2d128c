import { createHash } from 'node:crypto';
import type { ReadQuestion } from '#contract/approval/asked-question.ts';
import { withoutAttributes } from '#contract/pane/attributes.ts';
import { type Harnesses, screensOf } from '#machines/harness/harnesses.ts';
import { readQuestion } from '#machines/pane/permission/read-question.ts';
import { readWithin } from '#machines/pane/read.ts';
import { withinTime } from '#world/concurrency/time-limit.ts';
import type { Observation } from './observation.ts';

/** A question on a screen, and what identifies it to the last character. */
export interface IdentifiedQuestion {
  /** Without secrets. One with a secret does not count as read as a whole. */
  readonly question: ReadQuestion;
  readonly digest: string;
}

/** The question on an observed screen; undefined if it asks nothing, or could not be read in time. */
export function askedQuestion(harnesses: Harnesses, observation: Observation): IdentifiedQuestion | undefined {
  const { harness, version, capture, recorded, reading, screenDigest } = observation;
  const screens = screensOf(harnesses, harness, version);
  return withinTime(readWithin, () => {
    const raw = readQuestion(screens, capture, reading);
    const shown = readQuestion(screens, recorded, reading);
    if (raw === undefined || shown === undefined) return undefined;
    const hasSecret = JSON.stringify(raw) !== JSON.stringify(shown);
    const identity = JSON.stringify([raw, screenDigest, raw.whole ? [] : capture.rows.map(withoutAttributes)]);
    const digest = createHash('sha256').update(identity).digest('hex');
    return { question: hasSecret ? { ...shown, whole: false } : shown, digest };
  });
}
