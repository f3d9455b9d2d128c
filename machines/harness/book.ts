import type { FoundRuleFile, RuleFault } from '#contract/pane/harness-file.ts';
import { isNewer } from '#contract/pane/harness-version.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import type { Harness } from './definition.ts';
import { type Harnesses, harnessesOf } from './harnesses.ts';
import { type FileHarness, readHarnessFile } from './read-file.ts';

/** What a file has launched, and whether that counts. */
export interface LaunchStatus {
  readonly text: string;
  readonly digest: string;
  /** Whether a person has confirmed that digest. */
  readonly isConfirmed: boolean;
}

/** What happened to a file: it holds, or it is refused and what held before continues. */
export interface FileStatus {
  readonly harness: string;
  readonly path: string;
  /** Empty if the file holds. */
  readonly faults: readonly RuleFault[];
  /** What goes on in its place where it is refused; undefined if it holds. */
  readonly instead: 'its previous version' | 'the built-in version' | 'nothing' | undefined;
  /** Undefined if it changes only how screens are read, and where it is refused and none of it continues. */
  readonly launch: LaunchStatus | undefined;
}

/** The harnesses that are built in, changed and joined by those of files. */
export interface HarnessBook extends Harnesses {
  readonly files: readonly FileStatus[];
}

/** A book from which the next one is made. */
export interface HeldBook extends HarnessBook {
  /** What each file said when it was last read without a fault, by harness. */
  readonly held: ReadonlyMap<string, FileHarness>;
}

/** What a file alone does not say. */
export interface Examine {
  /** Whether an expression takes too long on a row that is made to be hard. */
  isSlow(pattern: string): boolean;
  /** Why rules may not be used any more; undefined if they may. */
  objectionTo(screens: HarnessScreens): string | undefined;
  /** The digest that a launch is confirmed by. */
  digestOf(launch: string): string;
  /** Whether a person has confirmed what a file has a harness launch. */
  isConfirmed(harness: string, digest: string): boolean;
}

/**
 * Reads all files again. One that is refused leaves in force what `before`, the book that held until now, had from it,
 * or else what is built in. Of one whose launch is not confirmed, only the reading of screens counts.
 */
export function bookOf(
  builtIn: Harnesses,
  found: readonly FoundRuleFile[],
  examine: Examine,
  before?: HeldBook,
): HeldBook {
  const own = new Map<string, Harness>();
  const held = new Map<string, FileHarness>();
  const files = found
    .filter((file) => !isOutdated(file, builtIn))
    .map((file): FileStatus => {
      const { harness: name, path } = file;
      const reading = readFound(file, builtIn, examine);
      const faults = 'faults' in reading ? reading.faults : [];
      const said = 'faults' in reading ? goingOn(before?.held.get(name), examine) : reading;
      const launch = said && standingOf(name, said, examine);
      if (said) {
        held.set(name, said);
        own.set(name, launch?.isConfirmed === false ? said.unconfirmed : said.harness);
      }
      const rest = said ? 'its previous version' : builtIn.find(name) ? 'the built-in version' : 'nothing';
      return { harness: name, path, faults, instead: faults.length === 0 ? undefined : rest, launch };
    });
  const changed = builtIn.all().map((harness) => own.get(harness.name) ?? harness);
  const added = [...own.values()].filter(({ name }) => !builtIn.find(name));
  return { ...harnessesOf([...changed, ...added]), files, held };
}

/** Whether a bundle was installed before a muster that knows newer versions of the CLI itself. */
export function isOutdated(
  { harness, installed }: Pick<FoundRuleFile, 'harness' | 'installed'>,
  builtIn: Harnesses,
): boolean {
  return installed !== undefined && isNewer(builtIn.find(harness)?.recordedWith, installed.recordedWith);
}

function goingOn(held: FileHarness | undefined, examine: Examine): FileHarness | undefined {
  return held && examine.objectionTo(held.harness.screens) === undefined ? held : undefined;
}

function standingOf(name: string, { launch }: FileHarness, examine: Examine): LaunchStatus | undefined {
  if (launch === undefined) return undefined;
  const digest = examine.digestOf(launch);
  return { text: launch, digest, isConfirmed: examine.isConfirmed(name, digest) };
}

function readFound({ harness, text, fault }: FoundRuleFile, builtIn: Harnesses, examine: Examine) {
  if (text === undefined) return { faults: [{ line: 1, reason: fault }] };
  const reading = readHarnessFile(harness, text, builtIn, examine.isSlow);
  if ('faults' in reading) return reading;
  const objection = examine.objectionTo(reading.harness.screens);
  return objection === undefined ? reading : { faults: [{ line: 1, reason: objection }] };
}
