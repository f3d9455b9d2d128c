import type { z } from 'zod';
import { Failure } from '#contract/failure.ts';
import type { testApprovals } from '#contract/operations/approval.ts';
import type { Capture } from '#contract/pane/capture.ts';
import { cellsOf } from '#contract/pane/cells.ts';
import { printableScreenText } from '#contract/printable.ts';
import { quoted } from '#contract/quoted.ts';
import type { Harness } from '#machines/harness/definition.ts';
import { type Harnesses, screensOf } from '#machines/harness/harnesses.ts';
import { readQuestion } from '#machines/pane/permission/read-question.ts';
import { read, readWithin } from '#machines/pane/read.ts';
import { withinTime } from '#world/concurrency/time-limit.ts';
import type { PlacedQuestion } from './decide.ts';

/**
 * The question on a recorded screen; undefined if it asks nothing.
 * @throws INVALID_FIELD when the harness is missing or the screen is wider than its width; HARNESS_NOT_FOUND
 */
export function recordedQuestion(
  harnesses: Harnesses,
  { screen = '', harness = '', width, height }: z.output<typeof testApprovals.request>,
): PlacedQuestion | undefined {
  const known = requireHarness(harnesses, harness);
  const rows = screen.replace(/\n+$/, '').split('\n');
  if (width) requireWidth(rows, width);
  const capture: Capture = {
    rows,
    title: '',
    programStatus: '',
    progress: '',
    width: width || 80,
    height: height || Math.max(24, rows.length + 1),
    cursor: { column: 0, row: 0 },
    command: known.command,
    inMode: false,
    dead: false,
  };
  const screens = screensOf(harnesses, harness);
  const question = withinTime(readWithin, () => readQuestion(screens, capture, read(screens, capture)));
  return question && { question };
}

function requireHarness(harnesses: Harnesses, name: string): Harness {
  const names = harnesses.all().map((one) => one.name);
  if (name === '')
    throw new Failure('INVALID_FIELD', `harness is missing: name the CLI of the screen, one of ${names.join(', ')}`, {
      field: 'harness',
    });
  const known = harnesses.find(name);
  if (known !== undefined) return known;
  throw new Failure(
    'HARNESS_NOT_FOUND',
    `A recorded screen of ${quoted(name)} cannot be read here: name one of ${names.join(', ')}, such as the one that it is like`,
  );
}

function requireWidth(rows: readonly string[], width: number): void {
  const widest = Math.max(...rows.map((row) => cellsOf(printableScreenText(row))));
  if (widest <= width) return;
  throw new Failure(
    'INVALID_FIELD',
    `width is ${width}, and the screen has a row of ${widest} columns: give its width`,
    {
      field: 'width',
    },
  );
}
