import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Reading } from '#contract/pane/reading.ts';
import { type Look, readLook, verdictOf } from './look.ts';

const file = fileURLToPath(new URL('./outcomes.json', import.meta.url));

/** What the steps of one version came to. */
export interface Outcome {
  readonly harness: string;
  readonly version: string;
  readonly steps: number;
  readonly right: number;
  /** How many were true rest, and how many of these are UNCERTAIN. */
  readonly rests: number;
  readonly doubtedRests: number;
  /** Those that are UNCERTAIN with a reason though the CLI did something else, a line each. */
  readonly unsure: readonly string[];
  /** Those that are read as what they were not, a line each. */
  readonly false: readonly string[];
  /** What could not be staged, a line each. */
  readonly missed: readonly string[];
}

/** The counts that are published of one version. */
export interface Counts {
  readonly harness: string;
  readonly version: string;
  readonly steps: number;
  readonly right: number;
  readonly unsure: number;
  readonly false: number;
  /** As in an outcome; absent if it was led before they were counted. */
  readonly rests?: number;
  readonly doubtedRests?: number;
}

/** Reads the looks of one version and judges them. */
export function outcomeOf(
  harness: string,
  version: string,
  looks: readonly Look[],
  missed: readonly string[],
): Outcome {
  const judged = looks.map((look, place) => {
    const reading = readLook(harness, look);
    return { verdict: verdictOf(look, reading), isRest: look.truth === 'IDLE', told: told(place, look, reading) };
  });
  const rests = judged.filter(({ isRest }) => isRest);
  const of = (verdict: string): string[] => judged.filter((one) => one.verdict === verdict).map((one) => one.told);
  return {
    harness,
    version,
    steps: judged.length,
    right: of('right').length,
    rests: rests.length,
    doubtedRests: rests.filter(({ verdict }) => verdict === 'unsure').length,
    unsure: of('unsure'),
    false: of('false'),
    missed,
  };
}

/** Prints one version's line, and each step that is not right with the file of its screen. */
export function printOutcome(outcome: Outcome, folder: string): void {
  const { harness, version, steps, right, unsure, missed, rests, doubtedRests } = outcome;
  const counts = `${steps} steps, ${right} right, ${unsure.length} UNCERTAIN with a reason, ${outcome.false.length} false`;
  const lines = [`${harness} ${version}: ${counts}; ${doubtedRests} of ${rests} rests UNCERTAIN`];
  for (const line of outcome.false) lines.push(`  FALSE  ${line}`);
  for (const line of unsure) lines.push(`  unsure ${line}`);
  for (const line of missed) lines.push(`  missed ${line}`);
  if (unsure.length + outcome.false.length > 0) lines.push(`  screens in ${folder}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** Prints how many screens of true rest are UNCERTAIN over all versions. */
export function printDoubtedRests(outcomes: readonly Outcome[]): void {
  const rests = outcomes.reduce((sum, one) => sum + one.rests, 0);
  const doubted = outcomes.reduce((sum, one) => sum + one.doubtedRests, 0);
  const share = rests === 0 ? 0 : (doubted / rests) * 100;
  process.stdout.write(`in all: ${doubted} of ${rests} rests UNCERTAIN, ${share.toFixed(2)} %\n`);
}

/** The counts of every version as they were kept last. */
export function keptOutcomes(): Counts[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Counts[];
}

/** Keeps the counts of a version, instead of those before. */
export function keepOutcome({ unsure, false: wrong, missed: _, ...counted }: Outcome): void {
  const counts: Counts = { ...counted, unsure: unsure.length, false: wrong.length };
  const kept = keptOutcomes();
  const place = kept.findIndex((one) => one.harness === counts.harness && one.version === counts.version);
  if (place < 0) kept.push(counts);
  else kept[place] = counts;
  writeFileSync(file, `${JSON.stringify(kept, undefined, 2)}\n`);
}

function told(place: number, { step, truth, capture }: Look, { state, rule, reason }: Reading): string {
  const name = `${String(place).padStart(3, '0')} ${step} ${capture.width}x${capture.height}`;
  return `${name}: ${truth} read as ${state.replace('AGENT_STATE_', '')} ${reason} by ${rule}`;
}
