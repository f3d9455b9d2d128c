import type { HarnessFile } from '#contract/pane/harness-file.ts';
import type { RecordedScreen } from '#contract/pane/recorded-screen.ts';
import type { HarnessScreens, ScreenRule } from '#contract/pane/screen-rule.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { harnessOfFile } from '#machines/harness/read-file.ts';
import { scaffold } from '#machines/harness/scaffold.ts';
import { empty, rank, titleSpinner } from '#machines/pane/harness/common.ts';
import { cutRegions } from '#machines/pane/region.ts';
import { isFatal, type ReadScreen, readRecorded, scoreOf } from './assessment.ts';
import { learnLayout, withHeads } from './layout.ts';
import { literal } from './literal.ts';
import { learnRules } from './state-rules.ts';
import { type Variant, variantsOf } from './variants.ts';

/** The input of learning a harness. */
export interface LearnRequest {
  readonly name: string;
  readonly launch: NonNullable<HarnessFile['launch']>;
  readonly screens: readonly RecordedScreen[];
  /** The built-in harness to start from; undefined to take the one that reads the screens best. */
  readonly like: string | undefined;
}

/** The learned rules, and what they extend. */
export interface Learned {
  readonly file: HarnessFile;
  /** The built-in harness that they extend; undefined if they extend the scaffold. */
  readonly like: string | undefined;
  /** How many screens that harness alone reads right. */
  readonly rightBefore: number;
}

/**
 * The file of a new harness: it extends the built-in one that reads its screens best, or the scaffold. With it, no
 * screen at work or with a question reads as rest, not even a variant with other colours or numbers.
 */
export function learnHarness(request: LearnRequest, builtIn: Harnesses): Learned {
  const { like, file } = bestStart(request, builtIn);
  const rightBefore = readAll(request, file, builtIn).filter(({ verdict }) => verdict === 'right').length;
  const steps = [withLayout, withStates, withoutMisreadings, withKnownRests, withGuards, withoutRest];
  return { like, rightBefore, file: steps.reduce((before, step) => step(request, before, builtIn), file) };
}

/** The rules for screens that a file defines. */
export function screensOfFile(name: string, file: HarnessFile, builtIn: Harnesses): HarnessScreens {
  return harnessOfFile(name, file, builtIn).screens;
}

function readAll({ name, screens }: LearnRequest, file: HarnessFile, builtIn: Harnesses): ReadScreen[] {
  const harness = screensOfFile(name, file, builtIn);
  return screens.map((screen) => readRecorded(harness, screen));
}

function score(request: LearnRequest, file: HarnessFile, builtIn: Harnesses): number {
  return scoreOf(readAll(request, file, builtIn));
}

interface Start {
  readonly like: string | undefined;
  readonly file: HarnessFile;
}

/** The scaffolds that extend each built-in coding agent, and the bare one; the one that reads the screens best. */
function bestStart(request: LearnRequest, builtIn: Harnesses): Start {
  const { name, launch, like } = request;
  const names = like === undefined ? builtIn.all().flatMap((one) => (one.codingAgent ? [one.name] : [])) : [like];
  const command = launch.command ?? name;
  const starts = (like === undefined ? [undefined, ...names] : names).map((one): Start => {
    const file = scaffold({ name, command, like: one });
    const about = `Learned from ${request.screens.length} recorded screens of ${command}. docs/pane-states.md says what each part means.`;
    return { like: one, file: { ...file, about, launch, codingAgent: true } };
  });
  const rated = starts.map((start) => ({ start, points: score(request, start.file, builtIn) }));
  return rated.reduce((best, one) => (one.points > best.points ? one : best)).start;
}

/** Rules that require proof of rest. Without them, work that was never recorded would read as rest. */
const proofOfRest = /^(?:composer|status|newer)\/|\/(?:unknown-|unfinished|unanswered|floating|page)/;

type Step = (request: LearnRequest, file: HarnessFile, builtIn: Harnesses) => HarnessFile;

/** Applies a change, unless the screens are read worse with it. */
function ifNotWorse(request: LearnRequest, before: HarnessFile, after: HarnessFile, builtIn: Harnesses): HarnessFile {
  return score(request, after, builtIn) >= score(request, before, builtIn) ? after : before;
}

const withLayout: Step = (request, file, builtIn) => {
  const { layout } = screensOfFile(request.name, file, builtIn);
  const learned = learnLayout(layout, request.screens);
  if (Object.keys(learned).length === 0) return file;
  return ifNotWorse(request, file, { ...file, layout: { ...file.layout, ...learned } }, builtIn);
};

/** Adds rules for each label whose screens are read wrong. */
const withStates: Step = (request, file, builtIn) => {
  let current = file;
  for (const label of new Set(request.screens.map((screen) => screen.label))) {
    if (label === 'rest' || label === 'draft' || label === 'exited' || label === 'starting') continue;
    const missed = readAll(request, current, builtIn).filter(
      (one) => one.screen.label === label && one.verdict !== 'right',
    );
    if (missed.length === 0) continue;
    const lesson = { harness: screensOfFile(request.name, current, builtIn), screens: request.screens };
    const rules = learnRules(
      lesson,
      label,
      missed.map(({ screen }) => screen),
    );
    current = ifNotWorse(request, current, withRules(current, rules), builtIn);
  }
  return current;
};

/** Removes rules that misread a screen, if no other screen needs them. */
const withoutMisreadings: Step = (request, file, builtIn) => {
  let current = file;
  const wrong = new Set(
    readAll(request, current, builtIn).flatMap(({ verdict, rule }) => (verdict === 'wrong' ? [rule] : [])),
  );
  for (const rule of wrong) {
    const after = withoutRule(current, rule);
    if (score(request, after, builtIn) > score(request, current, builtIn)) current = after;
  }
  return current;
};

/** Lets rows that were recorded only at rest prove rest, although the common rules do not know them. */
const withKnownRests: Step = (request, file, builtIn) => {
  let current = withKnownRows(request, withRest(request, file, builtIn), builtIn);
  for (const { screen, rule } of doubtedRests(request, current, builtIn)) {
    const harness = screensOfFile(request.name, current, builtIn);
    const others = proofOfRest.test(rule) ? [] : [withoutRule(current, rule)];
    const changes = [withRules(current, restRules(harness, screen, (current.rules ?? []).length)), ...others];
    for (const after of changes) {
      if (score(request, after, builtIn) > score(request, current, builtIn)) current = after;
    }
  }
  return current;
};

/** Adds the common rules for rest, if the harness that it is like requires more than its screens show. */
function withRest(request: LearnRequest, file: HarnessFile, builtIn: Harnesses): HarnessFile {
  const rest: ScreenRule = {
    id: `${request.name}/rest`,
    priority: rank.rest,
    state: 'AGENT_STATE_IDLE',
    reason: '',
    all: [{ in: 'composer', is: 'present' }],
    any: [...empty],
  };
  const after = withRules(file, [rest]);
  return score(request, after, builtIn) > score(request, file, builtIn) ? after : file;
}

/** Screens at rest that a rule doubts. */
function doubtedRests(request: LearnRequest, file: HarnessFile, builtIn: Harnesses): ReadScreen[] {
  const isDoubted = ({ screen, verdict, rule }: ReadScreen) =>
    screen.label === 'rest' && verdict === 'uncertain' && rule !== 'none' && !rule.startsWith('pane/');
  return readAll(request, file, builtIn).filter(isDoubted);
}

/** Adds the rows above the composer of screens at rest to the known rows, by their leading signs. */
function withKnownRows(request: LearnRequest, file: HarnessFile, builtIn: Harnesses): HarnessFile {
  const doubted = doubtedRests(request, file, builtIn).filter(({ rule }) => rule === 'composer/unknown-row');
  const { layout } = screensOfFile(request.name, file, builtIn);
  if (doubted.length === 0 || layout.known === undefined) return file;
  const unknown = doubted.flatMap(({ screen }) => cutRegions(layout, screen.capture).rows.unknown);
  const known = withHeads(
    layout.known,
    unknown.map(({ text }) => text),
  );
  return ifNotWorse(request, file, { ...file, layout: { ...file.layout, known } }, builtIn);
}

function restRules({ harness }: HarnessScreens, { capture }: RecordedScreen, place: number): ScreenRule[] {
  const footer = capture.rows.at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a row is known by its words, not by its colours
  const words = footer.replace(/\u001b\[[0-9;:]*m/g, '').trim();
  if (words === '') return [];
  return [
    {
      id: `${harness}/rest-${place + 1}`,
      priority: rank.unsure - 40,
      state: 'AGENT_STATE_IDLE',
      reason: '',
      all: [{ in: 'footer', last: 1, row: `^ *${literal(words)} *$` }],
      any: [...empty],
      none: [
        { in: 'unknown', row: '\\S' },
        { in: 'title', row: titleSpinner },
      ],
    },
  ];
}

/** Adds rules that make screens undecided which would falsely read as rest. */
const withGuards: Step = (request, file, builtIn) => {
  let current = file;
  for (const label of new Set(fatalIn(request, current, builtIn).map((screen) => screen.label))) {
    const lesson = { harness: screensOfFile(request.name, current, builtIn), screens: request.screens };
    const missed = fatalIn(request, current, builtIn).filter((screen) => screen.label === label);
    const as = { state: 'AGENT_STATE_UNCERTAIN', reason: 'unfinished', priority: rank.unsure } as const;
    current = withRules(current, learnRules(lesson, label, missed, as, 0));
  }
  return current;
};

/** If work or a question still reads as rest, removes rest altogether. */
const withoutRest: Step = (request, file, builtIn) => {
  if (fatalIn(request, file, builtIn, ({ keepsWords }) => keepsWords).length === 0) return file;
  const rule: ScreenRule = {
    id: `${request.name}/rest-not-proved`,
    priority: rank.unsure + 10,
    state: 'AGENT_STATE_UNCERTAIN',
    reason: 'unfinished',
    all: [{ in: 'composer', is: 'present' }],
    any: [...empty],
  };
  return withRules(file, [rule]);
};

/** The screens at work or with a question that read as rest, or have a variant that does. */
function fatalIn(
  { name, screens }: LearnRequest,
  file: HarnessFile,
  builtIn: Harnesses,
  counts: (variant: Variant) => boolean = () => true,
): RecordedScreen[] {
  const harness = screensOfFile(name, file, builtIn);
  const all = screens.flatMap((screen) => [
    screen,
    ...variantsOf(screen)
      .filter(counts)
      .map((one) => one.screen),
  ]);
  return all.filter((screen) => isFatal(readRecorded(harness, screen)));
}

function withRules(file: HarnessFile, rules: readonly ScreenRule[]): HarnessFile {
  const ids = new Set(rules.map(({ id }) => id));
  return { ...file, rules: [...(file.rules ?? []).filter(({ id }) => !ids.has(id)), ...rules] };
}

function withoutRule(file: HarnessFile, id: string): HarnessFile {
  const own = file.rules ?? [];
  if (own.some((rule) => rule.id === id)) return { ...file, rules: own.filter((rule) => rule.id !== id) };
  return { ...file, disable: [...(file.disable ?? []), id] };
}
