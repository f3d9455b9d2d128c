import { bookOf, type HarnessBook } from '#machines/harness/book.ts';
import { builtIn } from '#machines/harness/table.ts';
import { readRuleFolder } from '#world/file/rule-folder.ts';
import { sha256Of } from '#world/file/text-digest.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';

/**
 * The harnesses that are built in, as the files of a folder change and add to them at this moment: all that the files
 * say, for what of it is confirmed is known to the registry alone.
 */
export async function readRules(folder: string): Promise<HarnessBook> {
  const willing = {
    isSlow: isSlowPattern,
    objectionTo: () => undefined,
    digestOf: sha256Of,
    isConfirmed: () => true,
  };
  return bookOf(builtIn, await readRuleFolder(folder), willing);
}
