import type { z } from 'zod';
import type { testApprovals } from '#contract/operations/approval.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { type Harnesses, screensOf } from '#machines/harness/harnesses.ts';
import { readQuestion } from '#machines/pane/permission/read-question.ts';
import { read, readWithin } from '#machines/pane/read.ts';
import { withinTime } from '#world/concurrency/time-limit.ts';
import type { PlacedQuestion } from './decide.ts';

/** The question on a recorded screen; undefined if it asks nothing. */
export function recordedQuestion(
  harnesses: Harnesses,
  { screen = '', harness = '', width, height }: z.output<typeof testApprovals.request>,
): PlacedQuestion | undefined {
  const rows = screen.replace(/\n+$/, '').split('\n');
  const capture: Capture = {
    rows,
    title: '',
    programStatus: '',
    progress: '',
    width: width || 80,
    height: height || Math.max(24, rows.length + 1),
    cursor: { column: 0, row: 0 },
    command: harnesses.find(harness)?.command ?? harness,
    inMode: false,
    dead: false,
  };
  const screens = screensOf(harnesses, harness);
  const question = withinTime(readWithin, () => readQuestion(screens, capture, read(screens, capture)));
  return question && { question };
}
