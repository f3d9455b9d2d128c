import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LabelResult, LearnedHarness, RecordingRequest, TestedHarness } from '#cli/client/recording.ts';
import { Failure } from '#contract/failure.ts';
import type { RecordedScreen, ScreenLabel } from '#contract/pane/recorded-screen.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import { launchTextOf } from '#machines/harness/launch-part.ts';
import { assess, isFatal, readRecorded, sizeOf } from '#machines/harness/learn/assessment.ts';
import { type LearnRequest, learnHarness, screensOfFile } from '#machines/harness/learn/learn.ts';
import { variantsOf } from '#machines/harness/learn/variants.ts';
import { readHarnessFile } from '#machines/harness/read-file.ts';
import { builtIn } from '#machines/harness/table.ts';
import { writePrivateFile } from '#world/file/private-file.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';

/** Labels that occur in most CLIs. Missing ones are reported. */
const expected: readonly ScreenLabel[] = ['rest', 'draft', 'working', 'permission', 'question', 'menu'];
/** The file with the digest of the last written rules, which detects changes by hand. */
const noteName = 'learned.sha256';

/**
 * Learns the rules of a harness from its screens, and writes its rules file.
 * @throws INVALID_ARGUMENT when there is too little to learn from, ALREADY_EXISTS when its file was changed by hand
 */
export function learnFrom(
  rules: string,
  request: RecordingRequest,
  screens: readonly RecordedScreen[],
): LearnedHarness {
  const { name } = request;
  const labels = new Set(screens.map(({ label }) => label));
  if (!labels.has('rest') || !labels.has('working')) {
    const missing = ['rest', 'working'].filter((label) => !labels.has(label as ScreenLabel)).join(' and ');
    throw new Failure('INVALID_USAGE', `there is no screen of ${missing}: rules need at least rest and working`);
  }
  const path = join(rules, `${name}.json`);
  requireOwn(rules, name);
  const lesson = lessonOf(request, screens);
  const learned = learnHarness(lesson, builtIn);
  const text = `${JSON.stringify(learned.file, null, 2)}\n`;
  const reading = readHarnessFile(name, text, builtIn, isSlowPattern);
  if ('faults' in reading) {
    const [fault] = reading.faults;
    throw new Failure(
      'INVALID_VALUE',
      `the rules that were learned are refused (${fault?.reason}); the screens are kept`,
    );
  }
  const harness = screensOfFile(name, learned.file, builtIn);
  const launch = launchTextOf(name, learned.file, false) ?? '{}';
  writePrivateFile(path, text);
  writePrivateFile(join(rules, name, noteName), `${sha256Of(text)}\n`);
  return {
    ...testScreens(name, join(rules, name), harness, screens, heldOut(lesson)),
    path,
    launch,
    digest: sha256Of(launch),
    like: learned.like,
    rightBefore: learned.rightBefore,
    total: screens.length,
    cautions: warningsOf(harness, screens),
  };
}

/** Refuses to overwrite a rules file that was changed by hand. @throws ALREADY_EXISTS */
export function requireOwn(rules: string, name: string): void {
  const path = join(rules, `${name}.json`);
  if (!existsSync(path)) return;
  const note = join(rules, name, noteName);
  if (existsSync(note) && readFileSync(note, 'utf8').trim() === sha256Of(readFileSync(path, 'utf8'))) return;
  throw new Failure(
    'HARNESS_EXISTS',
    `${path} was written by hand or changed since it was learned: move it away, or choose another name`,
  );
}

/** The sources to learn from. A built-in harness that the person did not name supplies only rules, not its launch. */
function lessonOf(
  { name, command, like, variables }: RecordingRequest,
  screens: readonly RecordedScreen[],
): LearnRequest {
  const [program = name, ...start] = command;
  const nothing = { through: 'nothing' } as const;
  const unlike = { resume: start, resumeLatest: start, reports: nothing, tools: nothing };
  const launch = { command: program, start, variables: [...variables], ...(like === undefined ? unlike : {}) };
  return { name, launch, screens, like };
}

/** The results of reading a harness's screens, by label. */
export function testScreens(
  name: string,
  folder: string,
  harness: HarnessScreens,
  screens: readonly RecordedScreen[],
  held: ReadonlyMap<ScreenLabel, number> = new Map(),
): TestedHarness {
  const readings = screens.map((screen) => readRecorded(harness, screen));
  const labels = assess(readings).map((one): LabelResult => ({ ...one, heldOut: held.get(one.label) }));
  const misread = readings.flatMap(({ screen, state, reason, rule, verdict }) =>
    verdict === 'right' ? [] : [{ screen: screen.name, label: screen.label, state, reason, rule, verdict }],
  );
  const seen = new Set(labels.map(({ label }) => label));
  return { name, folder, labels, misread, unseen: expected.filter((label) => !seen.has(label)) };
}

/** How many screens of each label are read correctly by rules that were learned without screens of their size. */
function heldOut(lesson: LearnRequest): Map<ScreenLabel, number> {
  const sizes = new Set(lesson.screens.map(sizeOf));
  const right = new Map<ScreenLabel, number>();
  if (sizes.size < 2) return right;
  for (const size of sizes) {
    const known = lesson.screens.filter((screen) => sizeOf(screen) !== size);
    const { file } = learnHarness({ ...lesson, screens: known }, builtIn);
    const harness = screensOfFile(lesson.name, file, builtIn);
    for (const screen of lesson.screens.filter((one) => sizeOf(one) === size)) {
      const isRight = readRecorded(harness, screen).verdict === 'right';
      right.set(screen.label, (right.get(screen.label) ?? 0) + Number(isRight));
    }
  }
  return right;
}

/** The features that the rules depend on alone. */
function warningsOf(harness: HarnessScreens, screens: readonly RecordedScreen[]): string[] {
  const beside = screens.filter((screen) => {
    const capture = { ...screen.capture, title: '', programStatus: '', progress: '' };
    return isFatal(readRecorded(harness, { ...screen, capture }));
  });
  const lost = screens.flatMap((screen) => {
    if (readRecorded(harness, screen).verdict !== 'right') return [];
    const readings = variantsOf(screen).map(({ what, screen: variant }) => ({
      what,
      reading: readRecorded(harness, variant),
    }));
    return readings
      .filter(({ reading }) => reading.verdict !== 'right')
      .map(
        ({ what, reading }) => `${screen.label} ${what} ${isFatal(reading) ? 'reads as rest' : 'is not recognized'}`,
      );
  });
  const byKind = Map.groupBy(lost, (kind) => kind);
  return [
    ...(beside.length > 0
      ? ['its title or status sequences alone show that it works: without them it reads as at rest']
      : []),
    ...[...byKind].map(([kind, all]) => `${kind} (${all.length} screens)`),
  ];
}
