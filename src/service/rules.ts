import { type HarnessSet, harnessSetOf } from '#machines/harness/harness-set.ts';
import { builtIn } from '#machines/harness/table.ts';
import { readRuleFolder } from '#world/file/rule-folder.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';

/**
 * The built-in harnesses with the changes and additions of a folder's current files. It includes unconfirmed launch
 * parts, because only the registry knows which are confirmed.
 */
export async function readRules(folder: string): Promise<HarnessSet> {
  const willing = {
    isSlow: isSlowPattern,
    objectionTo: () => undefined,
    digestOf: sha256Of,
    isConfirmed: () => true,
  };
  return harnessSetOf(builtIn, await readRuleFolder(folder), willing);
}
