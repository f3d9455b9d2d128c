import type { FoundRuleFile, RuleFault } from '#contract/pane/harness-file.ts';
import { isNewer } from '#contract/pane/harness-version.ts';
import type { HarnessScreens } from '#contract/pane/screen-rule.ts';
import type { Harness } from './definition.ts';
import { type Harnesses, harnessesOf } from './harnesses.ts';
import { type FileHarness, readHarnessFile } from './read-file.ts';

/** The launch that a file defines, and whether it has effect. */
export interface LaunchStatus {
  readonly text: string;
  readonly digest: string;
  /** Whether a person has confirmed that digest. */
  readonly isConfirmed: boolean;
}

/** Whether a file is in effect, or refused, so that an earlier version stays in effect. */
export interface FileStatus {
  readonly harness: string;
  readonly path: string;
  /** Empty if the file is in effect. */
  readonly faults: readonly RuleFault[];
  /** What is in effect instead of a refused file; undefined if the file is in effect. */
  readonly instead: 'its previous version' | 'the built-in version' | 'nothing' | undefined;
  /** Undefined if it changes only how screens are read, or if no version of it is in effect. */
  readonly launch: LaunchStatus | undefined;
}

/** The built-in harnesses, changed and extended by files. */
export interface HarnessSet extends Harnesses {
  readonly files: readonly FileStatus[];
}

/** A set with what the next one needs to be made from it. */
export interface LoadedHarnesses extends HarnessSet {
  /** By harness, the content of its file when last read without faults. */
  readonly held: ReadonlyMap<string, FileHarness>;
}

/** The checks of a file that need more than the file. */
export interface Examine {
  /** Whether a regular expression takes too long on adversarial input. */
  isSlow(pattern: string): boolean;
  /** Why rules may no longer be used; undefined if they may. */
  objectionTo(screens: HarnessScreens): string | undefined;
  /** The digest of a launch, which a person confirms. */
  digestOf(launch: string): string;
  /** Whether a person has confirmed the launch that a harness's file defines. */
  isConfirmed(harness: string, digest: string): boolean;
}

/**
 * Makes a set from all files. If a file is refused, its version in the previous set `before` stays in effect, or else
 * the built-in harness. If the launch of a file is not confirmed, only its rules for screens have effect.
 */
export function harnessSetOf(
  builtIn: Harnesses,
  found: readonly FoundRuleFile[],
  examine: Examine,
  before?: LoadedHarnesses,
): LoadedHarnesses {
  const own = new Map<string, Harness>();
  const held = new Map<string, FileHarness>();
  const files = found
    .filter((file) => !isOutdated(file, builtIn))
    .map((file): FileStatus => {
      const { harness: name, path } = file;
      const reading = readFound(file, builtIn, examine);
      const faults = 'faults' in reading ? reading.faults : [];
      const usable = 'faults' in reading ? stillUsable(before?.held.get(name), examine) : reading;
      const launch = usable && standingOf(name, usable, examine);
      if (usable) {
        held.set(name, usable);
        own.set(name, launch?.isConfirmed === false ? usable.unconfirmed : usable.harness);
      }
      const isReplacing = builtIn.find(name) !== undefined || file.installed !== undefined;
      const rest = usable ? 'its previous version' : isReplacing ? 'the built-in version' : 'nothing';
      return { harness: name, path, faults, instead: faults.length === 0 ? undefined : rest, launch };
    });
  const changed = builtIn.all().map((harness) => own.get(harness.name) ?? harness);
  const added = [...own.values()].filter(({ name }) => !builtIn.find(name));
  return { ...harnessesOf([...changed, ...added]), files, held };
}

/** Whether an installed bundle is for an older version of the CLI than this muster's own rules. */
export function isOutdated(
  { harness, installed }: Pick<FoundRuleFile, 'harness' | 'installed'>,
  builtIn: Harnesses,
): boolean {
  return installed !== undefined && isNewer(builtIn.find(harness)?.recordedWith, installed.recordedWith);
}

function stillUsable(held: FileHarness | undefined, examine: Examine): FileHarness | undefined {
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
