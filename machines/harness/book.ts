import type { FoundRuleFile, RuleFault } from '#contract/harness-file.ts';
import type { HarnessScreens } from '#contract/screen-rule.ts';
import type { Harness } from './definition.ts';
import { type Harnesses, harnessesOf } from './harnesses.ts';
import { readHarnessFile } from './read-file.ts';

/** What became of a file: it holds, or it is refused and what held before goes on. */
export interface FileStanding {
  readonly harness: string;
  readonly path: string;
  /** Empty where the file holds. */
  readonly faults: readonly RuleFault[];
  /** What goes on in its place where it is refused; undefined where it holds. */
  readonly instead: 'what it said before' | 'what is built in' | 'nothing' | undefined;
}

/** The harnesses that are built in, changed and joined by those of files. */
export interface HarnessBook extends Harnesses {
  readonly files: readonly FileStanding[];
}

/** What only a trial can tell of a file that is well formed. */
export interface Examine {
  /** Whether an expression takes too long on a row that is made to be hard. */
  isSlow(pattern: string): boolean;
  /** Why rules may not be used any more; undefined where they may. */
  objectionTo(screens: HarnessScreens): string | undefined;
}

/**
 * Reads all files anew. One that is refused leaves in force what `before`, the book that held until now, had from it, or
 * else what is built in.
 */
export function bookOf(
  builtIn: Harnesses,
  found: readonly FoundRuleFile[],
  examine: Examine,
  before?: HarnessBook,
): HarnessBook {
  const own = new Map<string, Harness>();
  const files = found.map((file): FileStanding => {
    const { harness: name, path } = file;
    const reading = readFound(file, builtIn, examine);
    if ('harness' in reading) {
      own.set(name, reading.harness);
      return { harness: name, path, faults: [], instead: undefined };
    }
    const { faults } = reading;
    const held = before?.find(name);
    if (held && held !== builtIn.find(name) && examine.objectionTo(held.screens) === undefined) {
      own.set(name, held);
      return { harness: name, path, faults, instead: 'what it said before' };
    }
    return { harness: name, path, faults, instead: builtIn.find(name) ? 'what is built in' : 'nothing' };
  });
  const changed = builtIn.all().map((harness) => own.get(harness.name) ?? harness);
  const added = [...own.values()].filter(({ name }) => !builtIn.find(name));
  return { ...harnessesOf([...changed, ...added]), files };
}

function readFound({ harness, text, fault }: FoundRuleFile, builtIn: Harnesses, examine: Examine) {
  if (text === undefined) return { faults: [{ line: 1, reason: fault }] };
  const reading = readHarnessFile(harness, text, builtIn, examine.isSlow);
  if ('faults' in reading) return reading;
  const objection = examine.objectionTo(reading.harness.screens);
  return objection === undefined ? reading : { faults: [{ line: 1, reason: objection }] };
}
